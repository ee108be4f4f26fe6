//! How deformable bodies start: where the model puts them, moving as it says, held and driven sides as loads say. No step.

use mpcd_core::{InputError, Kinematics, Setup, Vec3};
use mpcd_fem::State;

use super::{Deformables, Member, ring};

/// Part of the largest speed of a body up to which two speeds of a node are the same.
const SAME: f64 = 1e-9;

impl Member {
    /// The velocities of the nodes by `velocity` and `spin` of the body [m/s].
    fn thrown(&self, setup: &Setup) -> Vec<f64> {
        let i = self.body.index();
        let (v, w, x) = (setup.initial.velocity[i], setup.initial.angular_velocity[i], setup.initial.position[i]);
        let d = self.model.dimension();
        let of_node = |place: &Vec3| {
            let velocity = v + w.cross(&(place - x));
            (0..d).map(move |k| velocity[k])
        };
        self.model.mesh().nodes().iter().flat_map(of_node).collect()
    }

    /// An axis along which loads move all nodes, and otherwise than `velocity` and `spin` say that they start.
    fn start_without_effect(&self, thrown: &[f64]) -> Option<usize> {
        let (d, nodes) = (self.model.dimension(), self.model.mesh().nodes().len());
        let mut loaded = thrown.to_vec();
        self.loads.start(&self.model, &mut loaded);
        let same = SAME * thrown.iter().chain(&loaded).fold(0.0, |most: f64, v| most.max(v.abs()));
        (0..d).find(|&k| {
            let starts = (0..nodes).any(|n| thrown[n * d + k].abs() > same);
            let differs = (0..nodes).any(|n| (thrown[n * d + k] - loaded[n * d + k]).abs() > same);
            starts && differs && self.loads.moved(&self.model, k).len() == nodes
        })
    }
}

impl Deformables {
    /// Refuses a `velocity` or a `spin` that nothing would come of: of bodies without inertia, and along axes along which loads move all nodes.
    ///
    /// # Errors
    /// The first body that has one.
    pub(super) fn check_starts(&self, setup: &Setup) -> Result<(), InputError> {
        for member in &self.members {
            let thrown = member.thrown(setup);
            if self.are_static() && thrown.iter().any(|v| *v != 0.0) {
                let message =
                    format!("`scheme: Static` has no inertia, so `velocity` and `spin` of {} have no meaning", member.label);
                return Err(InputError::new(message).help("remove them, or take a scheme with inertia, as Theta").at("velocity"));
            }
            if let Some(axis) = member.start_without_effect(&thrown) {
                let axis = ['x', 'y', 'z'][axis];
                return Err(InputError::new(format!(
                    "{} starts with a velocity along {axis}, but loads move all of its nodes along {axis} otherwise",
                    member.label
                ))
                .help("remove `velocity` (and `spin`), or the load")
                .at("velocity"));
            }
        }
        Ok(())
    }

    /// The states at the start: where the model puts them, moving as it says, held sides at rest.
    pub(crate) fn start(&self, setup: &Setup) -> Vec<State> {
        let state = |member: &Member| {
            let mut state = member.model.rest();
            state.velocity = member.thrown(setup);
            member.loads.start(&member.model, &mut state.velocity);
            state
        };
        self.members.iter().map(state).collect()
    }

    /// The motion of the bodies as wholes at the start, of their centres of mass; their turning is that of their nodes.
    pub(crate) fn start_kinematics(&self, states: &[State], kinematics: &mut Kinematics) {
        for (member, state) in self.members.iter().zip(states) {
            let i = member.body.index();
            let d = member.model.dimension();
            let vector = |v: &[f64]| Vec3::from_fn(|k, _| if k < d { v[k] } else { 0.0 });
            let masses = member.model.nodal_masses();
            let momentum: Vec3 = state.velocity.chunks_exact(d).zip(masses).map(|(v, m)| vector(v) * *m).sum();
            kinematics.velocity[i] = momentum.component_mul(&ring::mask(member.model.space())) / member.model.mass();
            kinematics.angular_velocity[i] = Vec3::zeros();
        }
    }
}
