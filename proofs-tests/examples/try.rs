use proofs_tests::ledger::*;
fn main() {
    let t = std::time::Instant::now();
    let full = std::env::args().any(|a| a == "full");
    for e in ledger(if full { Depth::Full } else { Depth::Quick }, None) {
        println!("{} -> {} {:?}", e.claim.id, e.judgement().word(), e.repair_judgement().map(|j| j.word()));
        for x in &e.evidence {
            println!("     {}", x.describe());
        }
        for x in e.repair.iter().flat_map(|r| &r.evidence) {
            println!("     repair: {}", x.describe());
            if let Some(v) = &x.violation {
                println!("       {}", v.to_json());
            }
        }
        if let Some(v) = e.evidence.iter().find_map(|e| e.violation.as_ref()) {
            println!("       {}", v.to_json());
        }
    }
    println!("{:?}", t.elapsed());
}
