//! The same model gives the same bits on any number of threads, and whether or not a factorisation was kept.

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, MassKind, Material, Scheme, Space, State};

use crate::{linear, model, neo_hookean, unit};

fn run(material: impl Material + 'static, scheme: Scheme, threads: usize, fresh: bool) -> State {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let model = model(unit(Cell::Tet4, 3), Space::Solid, material, 10.0);
        let fixed = Conditions::default().with_gravity(Vec3::new(1.0, -9.81, 0.5)).with_fixed(&model, "bottom").unwrap();
        let mut body = Body::new(model.clone(), scheme).unwrap();
        let mut state = model.rest();
        for _ in 0..5 {
            if fresh {
                body = Body::new(model.clone(), scheme).unwrap();
            }
            state = body.advance(&state, 1e-3, &fixed, &fixed).unwrap().0;
        }
        assert_eq!(body.factorisations() > 1, !fresh && !model.is_linear() && scheme != Scheme::Explicit);
        state
    })
}

#[test]
fn threads_and_kept_factors_change_no_bit() {
    let mass = MassKind::Consistent;
    for scheme in [Scheme::Theta { theta: 0.5, mass }, Scheme::Conserving { mass }, Scheme::Explicit] {
        let one = run(neo_hookean(1e3, 0.3), scheme, 1, false);
        assert!(
            one == run(neo_hookean(1e3, 0.3), scheme, 2, false) && one == run(neo_hookean(1e3, 0.3), scheme, 5, false),
            "{scheme:?}"
        );
        let one = run(linear(1e3, 0.3), scheme, 1, false);
        assert!(one == run(linear(1e3, 0.3), scheme, 3, true), "{scheme:?}");
    }
}
