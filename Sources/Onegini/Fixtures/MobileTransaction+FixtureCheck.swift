import PlatformKit

extension MobileTransaction {
    /// Refuses what no start of a mobile authentication makes.
    ///
    /// - Throws: `FixtureProblem`.
    func check(at path: [String]) throws {
        try FixtureRules.requireName(id, at: path + ["id"])
        if let otp { try FixtureRules.requireName(otp, at: path + ["otp"]) }
        try FixtureRules.requireName(pageKey, at: path + ["page_key"])
        try FixtureRules.require(FixtureRules.counts, attempts, at: path + ["attempts"])
        try FixtureRules.require(FixtureRules.counts, resends, at: path + ["resends"])
        if !callbackURI.isEmpty, let fault = CallbackAddress.fault(of: callbackURI) {
            throw FixtureProblem(
                at: path + ["callback_uri"], "\"\(callbackURI.prefix(60))\" \(fault)")
        }
        guard stored != .expired else {
            throw FixtureProblem(
                at: path + ["state"], "expected a state that does not follow from expires_at")
        }
    }
}
