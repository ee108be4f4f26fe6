//! The mpcd facade and command line.
