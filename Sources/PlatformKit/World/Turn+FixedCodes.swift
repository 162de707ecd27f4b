import SQLite

extension Turn {
    /// The code to send to `address`: the one that the fixtures fix for it, which the journal tells loudly, or `drawn`.
    ///
    /// `drawn` is drawn in either case, so that a seeded world gives everybody else the same codes with and without.
    package func code(for address: String, insteadOf drawn: String) throws -> String {
        guard let code = try FixedCodes(in: db).code(for: address) else { return drawn }
        note(
            "not in production", about: address,
            "FIXED CODE: \(address) receives \(code) every time, since the fixtures say so in “codes”. Whoever knows it can "
                + "sign in as this person; no real service has that.")
        return code
    }
}

extension World {
    /// Which codes are always the same in this world.
    package var fixedCodes: FixedCodes { get throws { try database.read { try FixedCodes(in: $0) } } }
}
