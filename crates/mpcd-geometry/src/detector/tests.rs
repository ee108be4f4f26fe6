//! Tests of the detector against all pairs.
