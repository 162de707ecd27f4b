import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v4/upgrade/start`: an activation of 3.3 gets keys of 4.0 (`/pa/upgrade/start`, possession and knowledge, a code of
    /// 3.3), and stays what it is until the device confirms them. One that begins anew starts over.
    ///
    /// - Request: encrypted by 4.0 for the application: `{"sharedSecretRequest","devicePublicKeys","enableBiometry"}`; the code covers
    ///   what was sent.
    /// - Response: `200`, encrypted `{"sharedSecretResponse","serverPublicKeys","ctrData"}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`, `ERR_UPGRADE` for everything else, also where the application does not offer it.
    /// - Source: PowerAuth documentation 2.x, “Protocol upgrade”; *assumed* is the application scope.
    func startUpgrade4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate(request, uriID: "/pa/upgrade/start", types: [.possessionKnowledge], in: turn) {
                sender in
                try aeadEncryption.open(request, .upgradeStart, refusingAs: .upgrade, in: turn) { opened in
                    let agreement = try upgradeAgreement(opened, sender.activation, in: turn)
                    var secrets = try agreement.secrets(of: sender.activation.id)
                    let input = Members(opened.object ?? [:], refusingAs: .upgrade)
                    if try input.optionalBoolean("enableBiometry") ?? false {
                        secrets.biometryKey = Base64Bytes(try secrets.keys.factor(.biometry))
                    }
                    let counter = services.entropy.bytes(V4.keyCount, "powerauth.counter")
                    (secrets.isConfirmed, secrets.upgradeCounterData) = (true, Base64Bytes(counter))
                    try turn.save(secrets)
                    var members = try agreement.answer()
                    members["ctrData"] = .string(Base64.encode(counter))
                    return try aeadEncryption.sealed(.object(members), answering: opened)
                }
            }
        }
    }

    private func upgradeAgreement(
        _ opened: OpenedMessage, _ activation: Activation, in turn: Turn
    ) throws -> SuiteAgreement {
        let suites = try ApplicationSuites.find(activation.application, in: turn.db)
        guard opened.application.id == activation.application else {
            throw MobileRefusal(.upgrade, "The code belongs to another application than the encryption.")
        }
        guard suites.offersUpgrade else {
            throw MobileRefusal(
                .upgrade,
                "The application \(activation.application) does not offer the upgrade to protocol 4.0: set its offers_upgrade."
            )
        }
        do {
            let agreement = try SuiteAgreement(opened.object ?? [:], drawing: services.entropy)
            guard suites.takes(agreement.suite) else {
                throw MobileRefusal(
                    .upgrade, because: ActivationRefusal.suiteUnsupported(agreement.suite, suites.algorithms))
            }
            return agreement
        } catch let fault as ProtocolFault {
            throw MobileRefusal(.upgrade, "The request for the upgrade cannot be used: \(fault).")
        }
    }

    /// `POST /pa/v4/upgrade/confirm`: the device has the keys of 4.0 (`/pa/upgrade/confirm`, possession), which count from now on; those
    /// of 3.3 are forgotten.
    ///
    /// - Request: `{}` or nothing; the code covers it.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; `ERR_UPGRADE` where no upgrade was begun.
    /// - Source: PowerAuth documentation 2.x, “Protocol upgrade”.
    func confirmUpgrade4(_ request: Request) throws -> Response {
        try change { turn in
            let known = try upgrading(request, in: turn)
            try authenticate4(
                request, uriID: "/pa/upgrade/confirm", types: [.possession], knowing: known, in: turn
            ) { sender in
                guard known != nil, var secrets = try sender.activation.secrets(in: turn.db) else {
                    throw MobileRefusal(
                        .upgrade,
                        "The activation \(sender.activation.id) speaks protocol 4.0: there is no upgrade to confirm."
                    )
                }
                secrets.upgradeCounterData = nil
                try turn.update(secrets)
                var upgraded = sender.activation
                (upgraded.devicePoint, upgraded.masterSecret, upgraded.changedAt) = (nil, nil, turn.now)
                try turn.update(upgraded)
                turn.note(
                    "protocol 4.0", about: upgraded.user,
                    "The activation \(upgraded.id) speaks protocol 4.0 from now on, in the suite \(secrets.suite.rawValue)."
                )
            }
        }
        return .powerAuth()
    }

    /// The activation of the code as it will be; nil where no upgrade was begun.
    private func upgrading(_ request: Request, in turn: Turn) throws -> Activation? {
        // What is wrong with the header is found out where it is checked.
        guard let header = try? AuthorizationHeader(of: request),
            let holder = try Activation.find(header.activationID, in: turn.db)?.ofFourth(in: turn.db)
        else { return nil }
        return holder.secrets.upgradeCounterData == nil ? nil : holder.activation
    }
}
