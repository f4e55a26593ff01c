//! Costs as polynomials in the parameters.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use polyhedra::Name;
use rewrites::optimization::growth::ParameterPolynomial;

fn text(names: &[&str], value: &dyn Fn(&[i64]) -> f64) -> Option<String> {
    let names: Vec<Name> = names.iter().map(|&name| name.into()).collect();
    ParameterPolynomial::through(&names, &vec![10; names.len()], value)
        .map(|polynomial| polynomial.to_string())
}

#[test]
fn polynomials_are_found() {
    let of = |value: &dyn Fn(f64, f64) -> f64| text(&["N", "M"], &|n| value(n[0] as f64, n[1] as f64));
    assert_eq!(of(&|n, m| 2.0 * n * n * m - n + 7.0), Some("2*N^2*M - N + 7".to_owned()));
    assert_eq!(of(&|n, _| n * (n + 1.0) / 2.0), Some("1/2*N^2 + 1/2*N".to_owned()));
    assert_eq!(of(&|_, _| 0.0), Some("0".to_owned()));
    assert_eq!(text(&[], &|_| 5.0), Some("5".to_owned()));
    // Not polynomials: a floor, a function that changes further on, and too high a degree.
    assert_eq!(of(&|n, _| (n / 2.0).floor()), None);
    assert_eq!(of(&|n, m| if n > 18.0 { m } else { n }), None);
    assert_eq!(of(&|n, m| n.powi(9) * m.powi(9)), None);
}
