//! Heat on the contact network.
