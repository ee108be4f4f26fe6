//! Smooth laws by name. A user's law joins with one line: `SmoothLawRegistry::standard().with::<MyLaw>()`.

use std::sync::Arc;

use mpcd_core::InputError;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Hertz, HertzMindlin, Hooke, Jkr, SimplifiedJkr, SmoothLaw};
use crate::law::{Entry, Laws};

/// A smooth law that can be named in a model file.
pub trait SmoothLawKind: SmoothLaw + Sized + 'static {
    /// Name in the model file.
    const NAME: &'static str;
    /// Its parameters.
    type Params: DeserializeOwned + JsonSchema;

    /// Builds the law.
    ///
    /// # Errors
    /// What is wrong in the parameters taken together.
    fn build(params: Self::Params) -> Result<Self, InputError>;
}

/// All laws of the smooth method (`SmoothContact`) a program knows.
pub type SmoothLawRegistry = Laws<dyn SmoothLaw>;

impl SmoothLawRegistry {
    /// The laws that ship.
    #[must_use]
    pub fn standard() -> Self {
        Self::default().with::<Hooke>().with::<Hertz>().with::<HertzMindlin>().with::<Jkr>().with::<SimplifiedJkr>()
    }

    /// Adds a law.
    #[must_use]
    pub fn with<K: SmoothLawKind>(self) -> Self {
        self.with_entry(Entry {
            name: K::NAME,
            schema: || schemars::schema_for!(K::Params),
            build: |fragment| {
                let law = K::build(fragment.parse_body()?).map_err(|e| e.within(fragment))?;
                Ok(Arc::new(law))
            },
        })
    }
}
