//! Vocabulary of mpcd: ids, units, fields, ports, bodies, contact network, the Physics contract, the books.
