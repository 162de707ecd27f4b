import Essentials
package import PlatformKit
import SQLite

extension PowerAuth: KeepsRecords {
    package static let recordKinds = [
        RecordKind<PowerAuth>(NewRegistration.kind) { platform, limit, db in
            try db.all(Activation.self, order: "created_at DESC, position DESC", limit: limit)
                .map { try platform.shown($0, at: platform.services.clock.now(), in: db) }
        } find: { platform, id, db in
            try Activation.find(id, in: db)
                .map { try platform.shown($0, at: platform.services.clock.now(), in: db) }
        } act: { platform, action, id, inputs in
            if let action = RegistrationAction(rawValue: action) {
                try platform.apply(action, to: id, inputs)
            }
        },
        RecordKind(ApplicationView.kind) { platform, limit, db in
            try db.all(Application.self, limit: limit).map { try platform.shown($0, in: db) }
        } find: { platform, id, db in
            try Application.find(id, in: db).map { try platform.shown($0, isAlone: true, in: db) }
        } act: { platform, _, id, inputs in
            try platform.change { turn in
                var suites = try ApplicationSuites.find(id, in: turn.db)
                try ProtocolChange.apply(inputs, to: &suites)
                try turn.update(suites)
            }
        },
    ]

    /// - Parameter isAlone: with the configuration strings, which are long.
    private func shown(
        _ application: Application, isAlone: Bool = false, in db: Connection
    ) throws -> ConsoleRecord {
        var view = ApplicationView(
            application: application, suites: try ApplicationSuites.find(application.id, in: db),
            versions: try application.versions(in: db))
        if isAlone, let version = view.versions.first(where: \.isSupported) ?? view.versions.first {
            view.configurations = [
                .init("mobileSdkConfig, for SDK 1.x", try mobileSDKConfiguration(version, of: application)),
                .init(
                    "mobileSdkConfigV4, for SDK 2.x",
                    try nextSDKConfiguration(version, of: application, in: db)),
            ]
        }
        return view.record
    }

    private func shown(_ activation: Activation, at now: Date, in db: Connection) throws -> ConsoleRecord {
        let state = activation.state(at: now)
        let view = RegistrationView(
            activation: activation, state: state, secrets: try activation.ofFourth(in: db)?.secrets,
            tokens: try db.all(Token.self, where: "activation = \(activation.id)"),
            history: try HistoryEntry.all(of: activation.id, in: db).map(\.entry),
            fingerprint: state == .pendingCommit ? try activation.fingerprint(in: db) : nil,
            code: state == .created ? try qrText(of: activation, in: db) : nil)
        return view.record
    }

    /// What the app scans: code and signature; the same text each time, so that the picture stays as it is.
    private func qrText(of activation: Activation, in db: Connection) throws -> String? {
        guard let code = activation.code,
            let application = try Application.find(activation.application, in: db)
        else { return nil }
        let kept = services.memo.value("powerauth.code-signatures") { CodeSignatures() }
        let suites = try ApplicationSuites.find(application.id, in: db)
        let signature = try kept.signature(of: code, masterKey: activations.codeKey(application, suites)) {
            try activations.codeSignature(of: activation, in: db)
        }
        return signature.map { "\(code)#\($0)" }
    }

    /// Does to a registration what a back end would do.
    private func apply(_ action: RegistrationAction, to id: String, _ inputs: [String: String]) throws {
        try change { turn in
            // As stored: a commit tells by itself what ran out of time from what was removed.
            guard let activation = try Activation.find(id, in: turn.db) else {
                throw ActivationRefusal.unknown(id)
            }
            switch action {
            case .commit: _ = try activations.commit(activation, otp: inputs["otp"], by: nil, in: turn)
            case .block: _ = try activations.block(activation, reason: inputs["reason"], by: nil, in: turn)
            case .unblock: _ = try activations.unblock(activation, by: nil, in: turn)
            case .remove:
                _ = try activations.remove(activation, by: nil, revokingRecoveryCodes: true, in: turn)
            }
        }
    }
}
