//! Pore pressure on a grid over the grains.
