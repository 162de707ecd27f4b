/// What refusals of a platform mean to change: failures they count, uses they note, what they remember against repeats.
///
/// A platform's tests declare it next to ``checkConformance(of:fixtures:)``; one that declares nothing changes nothing when it refuses.
package protocol CountsRefusals {
    /// Paths in the export, where `*` stands for any name or index: `acme.things.*.failures`. A path covers all that lies below it.
    /// One that ends in a list, `acme.audit`, covers its rows as well; otherwise no row may come or go.
    static var changedByRefusals: [String] { get }
}
