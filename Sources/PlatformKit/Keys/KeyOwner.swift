/// Whose a signing key is: a platform's, or one of its tenants'.
struct KeyOwner: Sendable, Equatable {
    let platform: String
    /// Nil for a platform without tenants, and for keys of all tenants that have none of their own of an algorithm.
    let tenant: String?

    /// Without the tenant.
    var shared: KeyOwner { KeyOwner(platform: platform, tenant: nil) }

    /// Where values that are derived from its keys are kept; see ``Memo``.
    func memo(_ name: String) -> String { "\(platform).kit.\(tenant.map { $0 + "." } ?? "")\(name)" }
}
