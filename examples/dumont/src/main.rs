//! Runs the scenes and writes tables (to standard output) and curves (into a folder).
//!
//! `dumont [1|2|3|rho] [--method NAME] [--most SWEEPS] [--spectral] [--inertia I/mR²] [--curves FOLDER]`; without a scene, 1 and 2.

#![allow(clippy::print_stdout, reason = "a program")]

use std::path::PathBuf;

use dumont::scene::Scene;
use dumont::simulation::{Outcome, run};
use dumont::sweeps::Method;
use dumont::{curves, tables};
use mpcd_friction::local::{DescentStep, LocalMethod};

#[derive(Default)]
struct Wish {
    scenes: Vec<String>,
    method: Option<String>,
    most: Option<usize>,
    spectral: bool,
    inertia: Option<f64>,
    curves: Option<PathBuf>,
}

fn read() -> Result<Wish, String> {
    let mut wish = Wish::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
        match word.as_str() {
            "1" | "2" | "3" | "rho" => wish.scenes.push(word),
            "--method" => wish.method = Some(value()?.to_uppercase()),
            "--most" => wish.most = Some(value()?.parse().map_err(|e| format!("--most: expected a number of sweeps, {e}"))?),
            "--spectral" => wish.spectral = true,
            "--inertia" => wish.inertia = Some(value()?.parse().map_err(|e| format!("--inertia: expected I/(m R²), {e}"))?),
            "--curves" => wish.curves = Some(value()?.into()),
            _ => {
                return Err(format!(
                    "unknown word `{word}`; expected 1, 2, 3, rho, --method, --most, --spectral, --inertia or --curves"
                ));
            }
        }
    }
    if wish.scenes.is_empty() {
        wish.scenes = vec!["1".into(), "2".into()];
    }
    Ok(wish)
}

/// The four methods on one scene.
fn compare(wish: &Wish, tag: &str, scene: &Scene, steps: usize, watched: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut rows: Vec<(String, Outcome)> = Vec::new();
    for mut method in Method::SOURCE {
        if wish.method.as_ref().is_some_and(|name| *name != method.name()) {
            continue;
        }
        if wish.spectral {
            method.step = DescentStep::Spectral;
        }
        let mut scene = scene.clone();
        scene.most_sweeps = wish.most.unwrap_or(scene.most_sweeps);
        scene.inertia = wish.inertia.unwrap_or(scene.inertia);
        let outcome = run(scene, method, steps, watched)?;
        if let Some(folder) = &wish.curves {
            let name = method.name();
            let suffix = if wish.spectral { "-spectral" } else { "" };
            let file = folder.join(format!("dumont-{tag}-{}{suffix}.svg", name.to_lowercase()));
            std::fs::write(
                file,
                curves::convergence(&format!("Example {tag}, {name}, step {watched}"), &outcome.watched.history),
            )?;
        }
        rows.push((method.name().to_owned(), outcome));
    }
    println!("{}, {steps} steps\n\n{}", scene.name, tables::table("method", &rows));
    Ok(())
}

/// §4.4: example 3 with EBP and ρ = αρ̄, to 1e-8, 500 steps.
fn study(wish: &Wish) -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    for (label, factor) in [("5", 5.0), ("2", 2.0), ("1", 1.0), ("1/2", 0.5), ("1/5", 0.2)] {
        let local = if wish.method.as_deref() == Some("EAL") { LocalMethod::Eal } else { LocalMethod::Ebp };
        let mut scene = Scene::five_hundred_balls();
        scene.tolerance = 1e-8;
        scene.most_sweeps = wish.most.unwrap_or(scene.most_sweeps);
        scene.inertia = wish.inertia.unwrap_or(scene.inertia);
        rows.push((label.to_owned(), run(scene, Method { local, step: DescentStep::ReducedMass { factor } }, 500, 0)?));
    }
    println!("the study of ρ = αρ̄, 500 steps, ε_glob 1e-8\n\n{}", tables::table("α", &rows));
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wish = read()?;
    for scene in &wish.scenes {
        match scene.as_str() {
            "1" => compare(&wish, "1", &Scene::launched_ball(), 2000, 5)?,
            "2" => compare(&wish, "2", &Scene::four_balls(), 1000, 1000)?,
            "3" => compare(&wish, "3", &Scene::five_hundred_balls(), 1000, 1000)?,
            _ => study(&wish)?,
        }
    }
    Ok(())
}
