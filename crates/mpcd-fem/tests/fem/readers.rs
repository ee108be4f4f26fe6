//! Readers of meshes: files of gmsh 4.15 in both versions and of VTK, groups, and damaged files.

use std::f64::consts::PI;
use std::path::PathBuf;

use miniz_oxide::deflate::compress_to_vec_zlib;
use mpcd_fem::{Cell, Mesh, Model, Section, Space};

use crate::linear;

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fem/data")).join(name)
}

fn model(mesh: Mesh) -> Model {
    let space = if mesh.dimension() == 2 { Space::PlaneStrain { thickness: 1.0 } } else { Space::Solid };
    Model::new(mesh, space, &Section::new(linear(1.0, 0.3), 1.0).unwrap()).unwrap()
}

/// A box of 1 × 2 × 3 with physical groups in three dimensions: the nodes between corners are in the right places, or the volume would
/// be wrong.
#[test]
fn boxes_of_gmsh() {
    for (name, cell) in [("hex20", Cell::Hex20), ("tet10", Cell::Tet10)] {
        let both = ["2_2", "4_1"].map(|version| Mesh::read_gmsh(&path(&format!("{name}_{version}.msh"))).unwrap());
        for mesh in both.clone() {
            assert!((0..mesh.elements()).all(|e| mesh.cell(e) == cell));
            assert_eq!(mesh.group_names(), [vec!["block of stone"], vec!["floor"], vec!["7"]]);
            assert_eq!(mesh.element_group("block of stone").unwrap().len(), mesh.elements());
            for node in mesh.nodes_of("7").unwrap() {
                assert!(mesh.nodes()[node].x.abs() + mesh.nodes()[node].z.abs() < 1e-12);
            }
            for e in 0..mesh.elements() {
                let x = |k: usize| mesh.nodes()[mesh.element(e)[k]];
                for (k, [a, b]) in cell.edges().iter().enumerate() {
                    assert!((x(cell.corners() + k) - 0.5 * (x(*a) + x(*b))).norm() < 1e-9, "{name} edge {k}");
                }
            }
            let model = model(mesh);
            assert!((model.mass() - 6.0).abs() < 1e-9 && (model.area("floor").unwrap() - 2.0).abs() < 1e-9, "{}", model.mass());
        }
        assert_eq!(both[0].nodes().len(), both[1].nodes().len());
        assert_eq!(both[0].elements(), both[1].elements());
    }
}

#[test]
fn discs_of_gmsh() {
    for (name, cell) in [("q8", Cell::Quad8), ("t6", Cell::Tri6)] {
        for version in ["2_2", "4_1"] {
            let mesh = Mesh::read_gmsh(&path(&format!("{name}_{version}.msh"))).unwrap();
            assert!((0..mesh.elements()).all(|e| mesh.cell(e) == cell));
            let rim = mesh.nodes_of("rim").unwrap();
            assert!(rim.iter().all(|&n| (mesh.nodes()[n].norm() - 1.0).abs() < 1e-9));
            assert_eq!(rim, mesh.skin().unwrap().nodes);
            let model = model(mesh);
            assert!((model.mass() / PI - 1.0).abs() < 2e-3 && (model.area("rim").unwrap() / (2.0 * PI) - 1.0).abs() < 2e-3);
        }
    }
}

#[test]
fn grids_of_vtk() {
    for kind in ["ascii", "raw", "zlib"] {
        let mesh = Mesh::read_vtu(&path(&format!("hex20_{kind}.vtu"))).unwrap();
        assert_eq!(mesh.group_names()[0], ["material 0", "material 1"]);
        assert_eq!((mesh.elements(), mesh.cell(0)), (2, Cell::Hex20));
        assert!((model(mesh).mass() - 6.0).abs() < 1e-9);
    }
    let text = std::fs::read_to_string(path("hex20_zlib.vtu")).unwrap().replace("vtkZLibDataCompressor", "vtkLZ4DataCompressor");
    let error = Mesh::from_vtu("lz4.vtu", text.as_bytes()).unwrap_err().to_string();
    assert!(
        error.contains("a grid compressed by `vtkLZ4DataCompressor` is not read") && error.contains("ZLib or none"),
        "{error}"
    );
    let error = Mesh::read_vtu(&path("hex20_2_2.msh")).unwrap_err().to_string();
    assert!(error.contains("hex20_2_2.msh") && error.contains("expected an unstructured grid"), "{error}");
}

/// Cells of lower dimension are groups of sides and of nodes by their arrays of integers; one that is a side of no element, or of nodes that there are not, is
/// refused, and without such an array left out.
#[test]
fn sides_of_vtk() {
    let grid = |side: &str, arrays: &str| {
        let text = format!(
            "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"6\" NumberOfCells=\"5\">\
             <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0</DataArray></Points>\
             <Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 4 3 1 2 5 4 0 1 {side} 3</DataArray>\
             <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4 8 10 12 13</DataArray>\
             <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">9 9 3 3 1</DataArray></Cells><CellData>{arrays}</CellData></Piece></UnstructuredGrid></VTKFile>"
        );
        Mesh::from_vtu("sides.vtu", text.as_bytes())
    };
    let kinds = "<DataArray type=\"Int64\" Name=\"kind\" format=\"ascii\">1 2 7 7 8</DataArray>";
    let mesh = grid("2 1", kinds).unwrap();
    assert_eq!(mesh.group_names(), [vec!["kind 1", "kind 2"], vec!["kind 7"], vec!["kind 8"]]);
    assert_eq!((mesh.nodes_of("kind 7").unwrap(), mesh.nodes_of("kind 8").unwrap()), (vec![0, 1, 2], vec![3]));
    for side in ["0 4", "0 9", "0 -1"] {
        let said = grid(side, kinds).unwrap_err().to_string();
        assert!(said.contains("sides.vtu: element 3 (L2) is a side of no element"), "{side}: {said}");
        assert_eq!(grid(side, "").unwrap().group_names(), [Vec::<&str>::new(), vec![], vec![]]);
    }
}

/// A grid with its blocks appended as raw bytes, as ParaView writes it, compressed by ZLib in parts of 40 bytes and not.
#[test]
fn appended_grids_of_vtk() {
    let (plain, packed) = (appended(false), appended(true));
    for file in [&plain, &packed] {
        let mesh = Mesh::from_vtu("raw.vtu", file).unwrap();
        assert!((model(mesh).mass() - 2.0).abs() < 1e-15);
    }
    let fault = |file: &[u8]| Mesh::from_vtu("cut.vtu", file).unwrap_err().to_string();
    let cut = fault(&plain[..plain.len() - 12]);
    assert!(cut.contains("cut.vtu: its array `offsets` (a block of 8 bytes in"), "{cut}");
    let cut = fault(&packed[..packed.len() - 2]);
    assert!(cut.contains("cut.vtu: its array `types` (a part of"), "{cut}");
    // the first array: a part of its own length, damaged, and more parts than there are bytes
    let start = packed.windows(2).position(|w| w == b"\n_").unwrap() + 2;
    let with = |at: usize, value: u64| {
        let mut file = packed.clone();
        file[start + at..start + at + 8].copy_from_slice(&value.to_le_bytes());
        fault(&file)
    };
    for (at, value, words) in [
        (0, u64::MAX, "a block"),
        (8, 41, "its compressed part 0"),
        (8, 39, "its compressed part 0"),
        (24, 5, "its compressed part 0"),
    ] {
        let said = with(at, value);
        assert!(said.contains("its array `Points`") && said.contains(words), "{at} {value}: {said}");
    }
}

/// A square of 2 by 1, its blocks behind their counts, or in compressed parts behind the table of these.
fn appended(compressed: bool) -> Vec<u8> {
    let points: Vec<f64> = [[0.0; 3], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]].concat();
    let mut data = Vec::new();
    let mut offsets = Vec::new();
    let mut add = |bytes: Vec<u8>| {
        offsets.push(data.len());
        if !compressed {
            data.extend((bytes.len() as u64).to_le_bytes());
            data.extend(bytes);
            return;
        }
        let parts: Vec<Vec<u8>> = bytes.chunks(40).map(|part| compress_to_vec_zlib(part, 6)).collect();
        let table = [parts.len(), 40, bytes.len() % 40].into_iter().chain(parts.iter().map(Vec::len));
        data.extend(table.flat_map(|n| (n as u64).to_le_bytes()));
        data.extend(parts.concat());
    };
    add(points.iter().flat_map(|x| x.to_le_bytes()).collect());
    add([0_i64, 1, 2, 3].iter().flat_map(|x| x.to_le_bytes()).collect());
    add(4_i64.to_le_bytes().to_vec());
    add(vec![9]);
    let array = |kind: &str, name: &str, k: usize| {
        format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{}\"/>\n", offsets[k])
    };
    let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let mut file = format!(
        "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}><UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points>{}</Points><Cells>{}{}{}</Cells></Piece></UnstructuredGrid>\n\
         <AppendedData encoding=\"raw\">\n_",
        array("Float64", "Points", 0),
        array("Int64", "connectivity", 1),
        array("Int64", "offsets", 2),
        array("UInt8", "types", 3),
    )
    .into_bytes();
    file.extend(&data);
    file
}

const HEAD: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const SQUARE: &str = "$Nodes\n4\n10 0 0 0\n11 1 0 0\n12 1 1 0\n13 0 1 0\n$EndNodes\n";

fn refusal(text: &str) -> String {
    Mesh::from_gmsh("a.msh", text).unwrap_err().to_string()
}

#[test]
fn faults_of_files_name_file_and_line() {
    let with = |elements: &str| format!("{HEAD}{SQUARE}$Elements\n{elements}\n$EndElements\n");
    assert!(Mesh::from_gmsh("a.msh", &with("1\n5 3 2 1 1 10 11 12 13")).is_ok());
    assert!(refusal(&with("1\n5 3 2 1 1 10 13 12 11")).contains("a.msh: element 5 (Q4) is numbered the wrong way round"));
    assert!(refusal(&with("1\n5 3 2 1 1 10 11 12 19")).contains("element 5 (Q4) has node 19, which the file does not place"));
    assert!(
        refusal(&with("1\n5 10 2 1 1 10 11 12 13 10 11 12 13 10"))
            .contains("element 5 is of type 10 of gmsh (quadrilateral of 9 nodes)")
    );
    assert!(refusal(&with("1\n5 3 2 1 1 10 11 12 x")).contains("a.msh, line 13: expected a node, found `x`"));
    assert!(refusal(&with("2\n5 3 2 1 1 10 11 12 13\n6 1 2 3 1 10 12")).contains("element 6 (L2) is a side of no element"));
    for again in ["11 12 13 10", "13 10 11 12", "10 13 12 11"] {
        let said = refusal(&with(&format!("2\n5 3 2 1 1 10 11 12 13\n6 3 2 1 1 {again}")));
        assert!(said.contains("a.msh, line 14: element 6 (Q4) has the same corners as element 5"), "{again}: {said}");
    }
    // lines beyond the count are not left out in silence
    let said = refusal(&with("1\n5 3 2 1 1 10 11 12 13\n6 3 2 1 1 10 11 12 13"));
    assert!(said.contains("a.msh, line 14: expected the end of the section") && said.contains("found `6`"), "{said}");
    // the same line again puts the element into another group
    assert!(Mesh::from_gmsh("a.msh", &with("2\n5 3 2 1 1 10 11 12 13\n6 3 2 2 1 10 11 12 13")).is_ok());
    assert!(refusal(&with("1\n5 1 2 1 1 10 11")).contains("no surface or volume elements"));
    assert!(refusal("$MeshFormat\n4.0 0 8\n$EndMeshFormat\n").contains("version `4.0`"));
    assert!(refusal("$MeshFormat\n4.1 1 8\n").contains("Mesh.Binary = 0"));
    assert!(refusal("").contains("expected $MeshFormat"));
    assert!(refusal(&format!("{HEAD}$Nodes\n1\n1 0 nan 0\n$EndNodes\n")).contains("finite coordinate"));
    assert!(refusal(&format!("{HEAD}$Nodes\n18446744073709551615\n1 0 0 0\n")).contains("the number of a node"));
    let none = Mesh::read_gmsh(&path("none.msh")).unwrap_err().to_string();
    assert!(none.contains("none.msh` cannot be read"), "{none}");
}

/// Damaged files: words changed, lines lost or doubled, ends cut off. No panic, no endless reading; an answer or a refusal.
#[test]
fn damaged_files_never_panic() {
    let mut seed = 1_u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    let words = ["-1", "0", "1e308", "nan", "99999999999999999999", "4294967296", "$Nodes", "\"", "3", "7", "é"];
    let mut refused = 0;
    let gmsh = ["hex20_2_2.msh", "hex20_4_1.msh", "q8_2_2.msh", "t6_4_1.msh"];
    for name in gmsh.into_iter().chain(["hex20_ascii.vtu", "hex20_raw.vtu"]) {
        let text = std::fs::read_to_string(path(name)).unwrap();
        for _ in 0..300 {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let at = random(lines.len());
            match random(4) {
                0 => lines.truncate(at),
                1 => drop(lines.remove(at)),
                2 => lines.insert(at, lines[at].clone()),
                _ => {
                    let mut parts: Vec<&str> = lines[at].split(' ').collect();
                    let which = random(parts.len());
                    parts[which] = words[random(words.len())];
                    lines[at] = parts.join(" ");
                }
            }
            let damaged = lines.join("\n");
            let result =
                if name.ends_with("msh") { Mesh::from_gmsh(name, &damaged) } else { Mesh::from_vtu(name, damaged.as_bytes()) };
            refused += usize::from(result.is_err());
        }
    }
    assert!(refused > 600, "{refused}");
}

/// Damaged bytes: flipped, cut, doubled and swapped stretches, in text and in appended blocks. No panic, no endless reading, no room for what a file of
/// this length cannot hold.
#[test]
fn damaged_bytes_never_panic() {
    let mut seed = 7_u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    let mut outcomes = [0_usize; 2];
    for name in ["q8_2_2.msh", "t6_4_1.msh", "tet10_4_1.msh", "hex20_ascii.vtu", "hex20_raw.vtu", "hex20_zlib.vtu"] {
        let whole = std::fs::read(path(name)).unwrap();
        for _ in 0..250 {
            let mut bytes = whole.clone();
            for _ in 0..=random(3) {
                let (at, length) = (random(bytes.len()), 1 + random(40));
                let end = (at + length).min(bytes.len());
                match random(5) {
                    0 => bytes[at] ^= 1 << random(8),
                    1 => drop(bytes.drain(at..end)),
                    2 => bytes.splice(at..at, whole[at.min(whole.len() - 1)..end.min(whole.len())].to_vec()).for_each(drop),
                    3 => bytes[at..end].fill(b"0 9-\n\0\xff"[random(7)]),
                    _ => bytes.truncate(at),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            let result = if name.ends_with("msh") {
                Mesh::from_gmsh(name, &String::from_utf8_lossy(&bytes))
            } else {
                Mesh::from_vtu(name, &bytes)
            };
            match result {
                Ok(mesh) => {
                    outcomes[0] += 1;
                    // what was read is sound
                    assert!(mesh.elements() > 0 && mesh.nodes().iter().all(|x| x.iter().all(|c| c.is_finite())));
                    let _ = mesh.skin();
                }
                Err(error) => {
                    outcomes[1] += 1;
                    let words = error.to_string();
                    assert!(words.contains(name) && words.len() < 2000, "{words}");
                }
            }
        }
    }
    assert!(outcomes.iter().all(|n| *n > 50), "{outcomes:?}");
}
