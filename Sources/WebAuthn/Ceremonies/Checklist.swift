/// The checks of one ceremony, with what was let pass.
struct Checklist {
    let ceremony: Ceremony
    let tolerated: Set<WebAuthnCheck>
    private(set) var warnings: [WebAuthnRefusal] = []

    init(_ ceremony: Ceremony, tolerated: Set<WebAuthnCheck>) {
        self.ceremony = ceremony
        self.tolerated = tolerated
    }

    func refusal(
        _ check: WebAuthnCheck, step: Int, expected: String, got: String, fixture: String? = nil,
        finding: String? = nil
    ) -> WebAuthnRefusal {
        WebAuthnRefusal(
            check, "\(ceremony.section) step \(step)", expected: expected, got: got, fixture: fixture,
            finding: finding)
    }

    /// - Throws: the refusal, unless its check is tolerated.
    mutating func require(
        _ holds: Bool, _ check: WebAuthnCheck, step: Int, expected: @autoclosure () -> String,
        got: @autoclosure () -> String, fixture: @autoclosure () -> String? = nil,
        finding: @autoclosure () -> String? = nil
    ) throws(WebAuthnRefusal) {
        if holds { return }
        let refusal = refusal(
            check, step: step, expected: expected(), got: got(), fixture: fixture(), finding: finding())
        guard check.isTolerable, tolerated.contains(check) else { throw refusal }
        warnings.append(refusal)
    }

    /// Base64url is what `toJSON()` writes; some clients of the time before write base64.
    mutating func spelling(_ posted: CredentialJSON) throws(WebAuthnRefusal) {
        try require(
            posted.misspelt.isEmpty, .base64, step: 3, expected: "base64url, with - and _",
            got: "base64, with + or /, in \(posted.misspelt.joined(separator: ", "))")
    }

    mutating func warn(_ more: [WebAuthnRefusal]) { warnings += more }
}
