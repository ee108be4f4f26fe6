//! A law with memory as a user writes it (docs/laws.md shows this text): Velcro, which sticks more the longer it is pressed.

use mpcd_contact::{
    Law, LawData, LawInput, LawKind,
    law::{Memory, Remembers, Shares},
};
use mpcd_core::{InputError, Quantity, Vec3, quantity};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VelcroParams {
    /// Pull it can hold for each N s it was pressed with.
    pull: Quantity<quantity::Rate, quantity::NonNegative>,
}

#[derive(Debug)]
struct Velcro {
    pull: f64,
}

impl Law for Velcro {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let mut data = LawData::of_cone(Cone::coulomb(0.5)).with_normal_shift(input.gap.max(0.0) / input.h);
        data.impulse_shift.x = input.h * self.pull * input.memory.numbers[0];
        Some(data)
    }

    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }
}

impl Remembers for Velcro {
    fn accept(&self, _: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        memory.numbers[0] = if u.x > 1e-9 { 0.0 } else { memory.numbers[0] + r.x.max(0.0) };
        Shares::default()
    }
}

impl LawKind for Velcro {
    const NAME: &'static str = "Velcro";
    type Params = VelcroParams;

    fn build(p: VelcroParams) -> Result<Self, InputError> {
        Ok(Self { pull: p.pull.si() })
    }
}

mod tests {
    use mpcd_contact::LawRegistry;
    use mpcd_core::Dimension;
    use mpcd_geometry::Shape;

    use super::*;
    use crate::scene::Scene;

    /// Pressed with 10 N for 1 s it holds 5 N at a pull of 0.5 per N s, and lets go above.
    #[test]
    fn a_law_of_30_lines_remembers() {
        for (pull, holds) in [(4.9, true), (5.1, false)] {
            let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
            scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(1.0));
            scene.floor("floor", Vec3::z());
            scene.law("ball", "floor", "Velcro(pull: 0.5)");
            scene.load("ball", &format!("Force(z: Table([(0, -10), (1, -10), (1.0001, {pull}), (2, {pull})]))"));
            let mut run = scene.build_with(LawRegistry::standard().with::<Velcro>(), "Contact(tolerance: 1e-12)").unwrap();
            run.theta = 1.0;
            for _ in 0..1_100 {
                run.step(1e-3);
            }
            assert_eq!(run.kinematics().velocity[0].z.abs() < 1e-9, holds, "{pull}");
        }
    }
}
