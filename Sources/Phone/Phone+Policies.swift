import PlatformKit

extension Phone {
    /// What it does with requests of a kind: the most specific policy holds.
    func policy(for platform: String, _ kind: String) -> PhonePolicy {
        policies?[platform + "/" + kind] ?? policies?[platform] ?? policy
    }

    /// Whether no policy has it look what there is for an app.
    func ignores(_ platform: String) -> Bool {
        guard (policies?[platform] ?? policy) == .ignore else { return false }
        return policies?.allSatisfy { !$0.key.hasPrefix(platform + "/") || $0.value == .ignore } ?? true
    }

    /// Chooses a policy for an app or for a kind of its requests; nil for none of its own.
    ///
    /// - Throws: ``PhoneRefusal`` for what phones have no app for, and a kind that this does not know.
    package mutating func set(_ policy: PhonePolicy?, for scope: String) throws {
        if let mistake = Self.mistake(inScope: scope) { throw PhoneRefusal(.malformed, mistake) }
        var policies = policies ?? [:]
        policies[scope] = policy
        guard policies.count <= Self.policyLimit else {
            throw PhoneRefusal(
                .malformed, "A phone has at most \(Self.policyLimit) policies of single apps and kinds.")
        }
        self.policies = policies.isEmpty ? nil : policies
    }

    private static let policyLimit = 50

    /// Apps, and kinds of their requests, that can have a policy of their own.
    package static var policyScopes: [(scope: String, title: String)] {
        PhoneCenter.apps.flatMap { app in
            [(app.platform, app.title)] + app.kinds.map { (app.platform + "/" + $0, app.title + ": " + $0) }
        }
    }

    /// `, for powerauth/offline "ignore"`
    var policiesInWords: String {
        (policies ?? [:]).sorted { $0.key < $1.key }.map { ", for \($0.key) “\($0.value.rawValue)”" }
            .joined()
    }

    /// What is wrong with the name of an app or a kind of its requests; nil for nothing.
    static func mistake(inScope scope: String) -> String? {
        let parts = scope.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let app = PhoneCenter.apps.first(where: { $0.platform == parts[0] }) else {
            return PhoneCenter.noApp(parts[0]).explanation
        }
        guard parts.count > 1 else { return nil }
        return app.kinds.contains(parts[1])
            ? nil
            : "The app of \(app.title) knows requests of the kind \(app.kinds.joined(separator: ", ")), not “\(parts[1].prefix(60))”."
    }
}
