import PlatformKit

/// What the shape of a project cannot say.
struct ProjectRules {
    private(set) var projectIDs: Set<String> = []
    private var clientIDs: Set<String> = []
    private var tokens: Set<String> = []

    /// Seconds, from one to thirty years.
    private static let seconds = 1...1_000_000_000

    mutating func check(_ project: Project, at path: [String]) throws {
        guard !project.id.isEmpty, projectIDs.insert(project.id).inserted else {
            throw FixtureProblem(
                at: path + ["id"], "expected an id that no other project has, found \"\(project.id)\"")
        }
        try require(4...6, project.pinLength, at: path + ["pin_length"])
        try require(1...1000, project.maxAttempts, at: path + ["max_attempts"])
        try require(0...86_400, project.backoff, at: path + ["backoff"])
        try checkShares(of: project, at: path)
        if let url = project.verifierURL, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw FixtureProblem(
                at: path + ["verifier_url"], "expected an http or https URL, found \"\(url)\"")
        }
        try checkLifetimes(project.lifetimes, at: path + ["lifetimes"])
        for (index, application) in (project.applications ?? []).enumerated() {
            try check(application, at: path + ["applications", String(index)])
        }
        for (index, account) in (project.serviceAccounts ?? []).enumerated() {
            guard !account.token.isEmpty, tokens.insert(account.token).inserted else {
                throw FixtureProblem(
                    at: path + ["service_accounts", String(index), "token"],
                    "expected a token that no other service account has")
            }
        }
    }

    private mutating func check(_ application: Project.Application, at path: [String]) throws {
        guard !application.clientID.isEmpty, clientIDs.insert(application.clientID).inserted else {
            throw FixtureProblem(
                at: path + ["client_id"],
                "expected a client id that no other application has, found \"\(application.clientID)\"")
        }
        guard !application.clientSecret.isEmpty else {
            throw FixtureProblem(at: path + ["client_secret"], "expected a secret, found an empty text")
        }
        guard !application.redirectURIs.isEmpty else {
            throw FixtureProblem(at: path + ["redirect_uris"], "expected one redirect URI at least")
        }
    }

    private func checkShares(of project: Project, at path: [String]) throws {
        for (name, share) in [("first_share", project.firstShare), ("second_share", project.secondShare)] {
            if let share { try checkShare(share, at: path + [name]) }
        }
        for (index, shares) in (project.previousShares ?? []).enumerated() {
            let path = path + ["previous_shares", String(index)]
            try checkShare(shares.first, at: path + ["first"])
            try checkShare(shares.second, at: path + ["second"])
        }
        do {
            _ = try project.masterSecret()
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
        ] { try require(Self.seconds, seconds, at: path + [name]) }
    }

    private func require(_ range: ClosedRange<Int>, _ number: Int?, at path: [String]) throws {
        guard let number, !range.contains(number) else { return }
        throw FixtureProblem(
            at: path, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
}
