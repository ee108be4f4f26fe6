//! Packings that no machine holds are refused before they are made, whatever the numbers are.

use mpcd_core::{
    Dimension::{self, Planar, Spatial},
    Fragment,
};
use mpcd_geometry::{PackingError, arch, columns, deposit, dome, grain, grow, lattice, vault, voronoi, wall};
use serde::de::DeserializeOwned;

fn made<P: DeserializeOwned, T>(
    text: &str,
    dimension: Dimension,
    make: impl Fn(&P, Dimension) -> Result<Vec<T>, PackingError>,
) -> Result<usize, String> {
    make(&Fragment::whole(text).parse_body().unwrap(), dimension).map(|all| all.len()).map_err(|e| e.to_string())
}

#[test]
fn absurd_packings_are_refused_with_words() {
    let too_many = |found: Result<usize, String>, limit: &str| {
        let said = found.unwrap_err();
        assert!(
            said.contains("the packing would have") && said.contains(&format!("the limit is {limit}: ask for fewer")),
            "{said}"
        );
    };
    let sizes = "sizes: Fixed(radius: 1e-6)";
    let small = "sizes: Uniform(min: 1e-300, max: 2e-300)";
    let cube = "from: (0, 0, 0), to: (1, 1, 1)";
    too_many(made(&format!("Voronoi({cube}, count: 4000000000)"), Spatial, voronoi), "2000000");
    for (dimension, size) in [(Spatial, sizes), (Planar, small), (Spatial, small)] {
        too_many(made(&format!("Deposit({cube}, {size})"), dimension, |p, d| deposit(p, d, [None; 3])), "5000000");
        too_many(made(&format!("Grow({cube}, {size}, fraction: 0.5)"), dimension, |p, d| grow(p, d, [None; 3])), "5000000");
        too_many(made(&format!("Lattice({cube}, {size})"), dimension, lattice), "20000000");
        too_many(made(&format!("Lattice({cube}, {size}, count: 4000000000000)"), dimension, lattice), "20000000");
        too_many(
            made(&format!("Deposit({cube}, {size}, count: 4000000000000)"), dimension, |p, d| deposit(p, d, [None; 3])),
            "5000000",
        );
        too_many(
            made(&format!("Grow({cube}, {size}, fraction: 0.5, count: 4000000000000)"), dimension, |p, d| grow(p, d, [None; 3])),
            "5000000",
        );
    }
    for (bricks, courses, leaves) in [("4000000000", "4000000000", "1"), ("1", "18446744073709551615", "18446744073709551615")] {
        let text = format!("Wall(brick: (0.2, 0.1, 0.05), bricks: {bricks}, courses: {courses}, leaves: {leaves})");
        too_many(made(&text, Spatial, wall), "5000000");
    }
    too_many(made("Columns(block: (1, 1, 1), courses: 1000, along: (100000, 100000))", Spatial, columns), "5000000");
    too_many(made("Arch(radius: 1, thickness: 0.1, voussoirs: 4000000000)", Planar, arch), "2000000");
    too_many(
        made("Vault(radius: 1, thickness: 0.1, length: 5, voussoirs: 4000000000, blocks: 18446744073709551615)", Spatial, vault),
        "2000000",
    );
    too_many(
        made("Dome(radius: 1, thickness: 0.1, rings: 4000000000, voussoirs: 4000000000, eye: 0.1)", Spatial, dome),
        "2000000",
    );
    let relaxed = made(&format!("Voronoi({cube}, count: 5, relax: 4000000000)"), Spatial, voronoi).unwrap_err();
    assert_eq!(relaxed, "`relax` is 4000000000, expected 1000 rounds at most");
    let corners = grain(4_000_000_000, 1.0, 1.0, Spatial, &mut mpcd_geometry::Random::new(1)).unwrap_err().to_string();
    assert_eq!(corners, "the number of corners is 4000000000, expected 5000 at most");
    let said = made(&format!("Voronoi({cube}, count: 4000000000)"), Spatial, voronoi).unwrap_err();
    assert_eq!(
        said,
        "the packing would have 4.000e9 bodies, which take about 40000 GB; the limit is 2000000: ask for fewer, make the region smaller or the bodies larger"
    );
    let unscaled =
        made(&format!("Grow({cube}, {small}, fraction: 0.5, count: 5)"), Spatial, |p, d| grow(p, d, [None; 3])).unwrap_err();
    assert!(unscaled.contains("cannot be scaled to the fraction"), "{unscaled}");
}

/// A box a billion times longer than wide asks for no more memory than its cells.
#[test]
fn long_thin_boxes_take_no_empty_cubes() {
    let long = "Voronoi(from: (0, 0, 0), to: (1e9, 1, 1), count: 100, relax: 2)";
    assert_eq!(made(long, Spatial, voronoi), Ok(100));
    assert_eq!(made("Voronoi(from: (0, 0), to: (1e9, 1), count: 50)", Planar, voronoi), Ok(50));
}
