//! Kirchhoff currents on the contact network.
