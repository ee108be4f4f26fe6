//! Shapes, mass properties, broad and narrow phase, persistent contact keys.
