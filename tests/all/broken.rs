//! Broken models.
