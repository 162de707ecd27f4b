import PlatformKit

// What the shape of a project cannot say.
extension Project {
    /// Seconds, from one to thirty years.
    private static let seconds = 1...1_000_000_000

    func check(_ rules: inout FixtureRules, at path: [String]) throws {
        guard !id.isEmpty else {
            throw FixtureProblem(at: path + ["id"], "expected an id, found an empty text")
        }
        try rules.add(id, to: "project", at: path + ["id"])
        try FixtureRules.require(4...6, pinLength, at: path + ["pin_length"])
        try FixtureRules.require(1...1000, maxAttempts, at: path + ["max_attempts"])
        try FixtureRules.require(0...86_400, backoff, at: path + ["backoff"])
        try checkShares(at: path)
        if let url = verifierURL, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw FixtureProblem(
                at: path + ["verifier_url"], "expected an http or https URL, found “\(url)”")
        }
        try checkLifetimes(lifetimes, at: path + ["lifetimes"])
        for (index, application) in (applications ?? []).enumerated() {
            try application.check(&rules, at: path + ["applications", String(index)])
        }
        for (index, account) in (serviceAccounts ?? []).enumerated() {
            let path = path + ["service_accounts", String(index), "token"]
            guard !account.token.isEmpty else {
                throw FixtureProblem(at: path, "expected a token, found an empty text")
            }
            try rules.add(account.token, to: "service account", at: path)
        }
    }

    private func checkShares(at path: [String]) throws {
        for (name, share) in [("first_share", firstShare), ("second_share", secondShare)] {
            if let share { try checkShare(share, at: path + [name]) }
        }
        for (index, shares) in (previousShares ?? []).enumerated() {
            let path = path + ["previous_shares", String(index)]
            try checkShare(shares.first, at: path + ["first"])
            try checkShare(shares.second, at: path + ["second"])
        }
        do {
            _ = try masterSecret()
        } catch {
            throw FixtureProblem(at: path, error.explanation)
        }
    }

    private func checkShare(_ share: String, at path: [String]) throws {
        do {
            _ = try Scalar(hex: share)
        } catch {
            throw FixtureProblem(at: path, "not a master share: \(error.explanation)")
        }
    }

    private func checkLifetimes(_ lifetimes: Project.Lifetimes?, at path: [String]) throws {
        guard let lifetimes else { return }
        for (name, seconds) in [
            ("session", lifetimes.session), ("registration", lifetimes.registration),
            ("ticket", lifetimes.ticket), ("pass", lifetimes.pass), ("proof", lifetimes.proof),
            ("activation", lifetimes.activation), ("code", lifetimes.code),
            ("verification", lifetimes.verification), ("identity", lifetimes.identity),
        ] { try FixtureRules.require(Self.seconds, seconds, at: path + [name]) }
    }
}

extension Project.Application {
    fileprivate func check(_ rules: inout FixtureRules, at path: [String]) throws {
        guard !clientID.isEmpty else {
            throw FixtureProblem(at: path + ["client_id"], "expected a client id, found an empty text")
        }
        try rules.add(clientID, to: "application", at: path + ["client_id"])
        guard !clientSecret.isEmpty else {
            throw FixtureProblem(at: path + ["client_secret"], "expected a secret, found an empty text")
        }
        guard !redirectURIs.isEmpty else {
            throw FixtureProblem(at: path + ["redirect_uris"], "expected one redirect URI at least")
        }
    }
}
