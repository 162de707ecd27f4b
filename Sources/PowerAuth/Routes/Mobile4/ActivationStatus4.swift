import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /pa/v4/activation/status`: state, attempts and counter, before the commit and after the removal as well.
    ///
    /// - Request: `{}` or nothing, encrypted for the activation; `/pa/activation/status` is taken as well.
    /// - Response: `200`, encrypted `{"activationStatus","customObject"}`, where `activationStatus` is 80 bytes in Base64.
    /// - Errors: `ERR_ENCRYPTION`, also for an activation that is not there or has exchanged no keys.
    /// - Source: PowerAuth documentation 2.x, “Checking activation status”.
    func activationStatus4(_ request: Request) throws -> Response {
        try change { turn in
            try aeadEncryption.open(
                request, .activationGeneric, .activationStatus,
                states: [.pendingCommit, .active, .blocked, .removed], in: turn
            ) { opened in
                // What time has made of it is stored with the answer.
                guard let id = opened.holder?.activation.id,
                    let holder = try activations.find(id, in: turn)?.ofFourth(in: turn.db),
                    let blob = try statusBlob4(of: holder, in: turn)
                else { throw MobileRefusal(.status, "The activation has exchanged no keys.") }
                return try aeadEncryption.sealed(
                    ["activationStatus": .string(Base64.encode(blob)), "customObject": [:]],
                    answering: opened)
            }
        }
    }

    /// 80 bytes; nil in a state in which a device has no keys.
    func statusBlob4(of holder: KeyedActivation, in turn: Turn) throws -> [UInt8]? {
        try status4(of: holder.activation, holder.secrets, in: turn)?.bytes(
            holder.secrets.keys, reserved: services.entropy.bytes(4, "powerauth.status-filler"))
    }

    private func status4(
        of activation: Activation, _ secrets: ActivationSecrets, in turn: Turn
    ) throws -> V4.Status? {
        guard let state = StatusBlob.State(activation.state), let data = activation.counterData?.bytes else {
            return nil
        }
        let suites = try ApplicationSuites.find(activation.application, in: turn.db)
        var flags: V4.Status.Flags = []
        if !secrets.isConfirmed { flags.insert(.confirmationPending) }
        if secrets.upgradeCounterData != nil { flags.insert(.upgradePending) }
        if !suites.takes(secrets.suite) { flags.insert(.suiteUnsupported) }
        if secrets.biometryKey != nil { flags.insert(.biometryEnabled) }
        return V4.Status(
            state: state, flags: flags, failedAttempts: activation.failedAttempts,
            maxFailedAttempts: activation.maxFailedAttempts,
            lookAhead: try world.settings(in: turn.db).lookAhead, counter: activation.counter,
            counterData: try V4.Counter(data))
    }
}
