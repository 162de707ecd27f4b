import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Recovery codes. Source of all: documentation of the PowerAuth Server 1.9, “Web Services – Methods”, “Activation recovery”.
extension PowerAuth {
    static let managementRecoveryRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/recovery/create", PowerAuth.makeRecoveryCode),
        .post("/rest/v3/recovery/confirm", PowerAuth.confirmPrintedCode),
        .post("/rest/v3/recovery/lookup", PowerAuth.lookUpRecoveryCodes),
        .post("/rest/v3/recovery/revoke", PowerAuth.revokeRecoveryCodes),
        .post("/rest/v3/recovery/config/detail", PowerAuth.showRecoverySettings),
        .post("/rest/v3/recovery/config/update", PowerAuth.changeRecoverySettings),
    ]

    /// `POST /rest/v3/recovery/create`: a code for a printed card. The printing centre computes code and PUKs from what is told.
    ///
    /// - Request: `{"applicationId", "userId", "pukCount"}`, 1 to 100 PUKs.
    /// - Response: `nonce`, `userId`, `recoveryCodeId`, `recoveryCodeMasked`, `status`, `puks` of `pukIndex`, `pukDerivationIndex`,
    ///   `status`.
    /// - Errors: `ERR0024`, also while recovery or cards are switched off; `ERR0025`; `ERR0029` without the printing centre's key.
    func makeRecoveryCode(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (id, user) = (try input.text("applicationId"), try input.text("userId"))
        let count = try input.optionalInteger("pukCount", 1...100)
        if input["pukCount"] == nil { try input.refuse("pukCount", "a whole number from 1 to 100") }
        try input.check()
        return try change { turn in
            let application = try recoverable(id, in: turn.db)
            let secret = try printerSecret(of: application, user: user, in: turn.db)
            let nonce = services.entropy.bytes(32, "powerauth.recovery-nonce")
            let seed = try RecoverySeed(secret: secret, nonce: nonce)
            let indices = (0..<(count ?? 1)).map { _ in
                services.entropy.bytes(8, "powerauth.recovery-puk-index").reduce(UInt64(0)) {
                    $0 << 8 | UInt64($1)
                } >> 1
            }
            let code = RecoveryCode(
                code: seed.code.text, application: id, user: user, activation: nil, state: .created,
                failedAttempts: 0, puks: try indices.map { .init(value: try seed.puk($0), state: .valid) })
            try turn.insert(code)
            let number = turn.db.lastInsertID
            let puks = zip(indices, 1...).map { index, position -> JSONValue in
                [
                    "pukIndex": .integer(position), "pukDerivationIndex": .integer(Int(index)),
                    "status": "VALID",
                ]
            }
            return .management([
                "nonce": .string(Base64.encode(nonce)), "userId": .string(user),
                "recoveryCodeId": .integer(number), "recoveryCodeMasked": .string(code.masked),
                "status": .string(code.state.rawValue), "puks": .array(puks),
            ])
        }
    }

    /// `POST /rest/v3/recovery/confirm`: makes a printed code usable, for a device whose code the caller had verified.
    ///
    /// - Request: `{"activationId", "applicationKey", "protocolVersion"}` and the members of `{"recoveryCode"}`, encrypted for the
    ///   activation (`/pa/recovery/confirm`).
    /// - Response: `activationId`, `userId`, and encrypted `{"alreadyConfirmed"}`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0027`, `ERR0045`.
    func confirmPrintedCode(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let enclosed = try EnclosedRequest(input, .activation)
        try input.check()
        return try self.enclosed { turn in
            try encryption.open(enclosed, .confirmRecovery, in: turn) { opened in
                guard let activation = opened.activation else { throw EnvelopeRefusal.activationMissing }
                guard let text = opened.object?["recoveryCode"]?.string else {
                    throw ManagementRefusal(
                        .invalidRequest, "The encrypted member recoveryCode is missing.")
                }
                let wasConfirmed = try RecoveryCode.confirm(text, of: activation, in: turn)
                return .management(
                    try encryption.enclosed(
                        ["alreadyConfirmed": .boolean(wasConfirmed)], answering: opened,
                        ["activationId": .string(activation.id), "userId": .string(activation.user)]))
            }
        }
    }

    /// `POST /rest/v3/recovery/lookup`: the codes that fit in every way.
    ///
    /// - Request: `{"userId"?, "activationId"?, "applicationId"?, "recoveryCodeStatus"?, "recoveryPukStatus"?}`, at least one of the
    ///   first two.
    /// - Response: `recoveryCodes` of `recoveryCodeId`, `recoveryCodeMasked`, `userId`, `applicationId`, `activationId`, `status`,
    ///   `puks`; with a state of PUKs those alone.
    /// - Errors: `ERR0024`.
    func lookUpRecoveryCodes(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (user, activation) = (try input.optionalText("userId"), try input.optionalText("activationId"))
        let application = try input.optionalText("applicationId")
        let state = try input.optionalChoice("recoveryCodeStatus", RecoveryCode.State.self)
        let pukState = try input.optionalChoice("recoveryPukStatus", RecoveryCode.PUK.State.self)
        if user == nil, activation == nil, input.faults.isEmpty {
            try input.refuse("userId", "a user or an activation")
        }
        try input.check()
        let found = try database.read { db in
            if let application { _ = try knownApplication(application, in: db) }
            return try RecoveryCode.numbered(in: db)
        }
        let shown = found.filter { numbered in
            let code = numbered.code
            return (user == nil || code.user == user) && (activation == nil || code.activation == activation)
                && (application == nil || code.application == application)
                && (state == nil || code.state == state)
                && (pukState == nil || code.puks.contains { $0.state == pukState })
        }
        return .management(["recoveryCodes": .array(shown.map { $0.code.members($0.id, showing: pukState) })])
    }

    /// `POST /rest/v3/recovery/revoke`: ends codes. Those that are not there are passed over.
    ///
    /// - Request: `{"recoveryCodeIds"}`.
    /// - Response: `revoked`, true when at least one was.
    /// - Errors: `ERR0024`.
    func revokeRecoveryCodes(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let numbers = input["recoveryCodeIds"]?.array?.compactMap(\.integer) ?? []
        if numbers.isEmpty || numbers.count != input["recoveryCodeIds"]?.array?.count
            || numbers.contains(where: { $0 < 0 })
        {
            try input.refuse("recoveryCodeIds", "a list of ids")
        }
        try input.check()
        let isAnyRevoked = try change { turn in
            var isAnyRevoked = false
            for number in numbers {
                guard var code = try turn.first(RecoveryCode.self, where: "position = \(number)"),
                    code.state != .revoked
                else { continue }
                code.end(as: .revoked)
                try turn.update(code)
                isAnyRevoked = true
            }
            return isAnyRevoked
        }
        return .management(["revoked": .boolean(isAnyRevoked)])
    }

    /// `POST /rest/v3/recovery/config/detail`: what recovery an application offers.
    ///
    /// - Request: `{"applicationId"}`.
    /// - Response: `applicationId`, `activationRecoveryEnabled`, `recoveryPostcardEnabled`, `allowMultipleRecoveryCodes`,
    ///   `postcardPublicKey`, `remotePostcardPublicKey`.
    /// - Errors: `ERR0024`, also for an application that is not there.
    func showRecoverySettings(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        try input.check()
        return try database.read { db in
            let application = try knownApplication(id, in: db)
            let settings = try RecoverySettings.find(id, in: db) ?? RecoverySettings()
            let key = try settings.privateKey.flatMap { Base64.decode($0) }.map { try PrivateKey(scalar: $0) }
            return .management([
                "applicationId": .string(id),
                "activationRecoveryEnabled": .boolean(application.offersRecovery),
                "recoveryPostcardEnabled": .boolean(settings.printsCards),
                "allowMultipleRecoveryCodes": .boolean(settings.allowsMultiple),
                "postcardPublicKey": try key.map { .string(Base64.encode(try $0.publicKey.x962())) } ?? .null,
                "remotePostcardPublicKey": settings.printerKey.map(JSONValue.string) ?? .null,
            ])
        }
    }

    /// `POST /rest/v3/recovery/config/update`: changes that. What is left out is switched off, but the printing centre's key, which
    /// stays.
    ///
    /// - Request: `{"applicationId", "activationRecoveryEnabled"?, "recoveryPostcardEnabled"?, "allowMultipleRecoveryCodes"?,
    ///   "remotePostcardPublicKey"?}`.
    /// - Response: `updated`.
    /// - Errors: `ERR0024`, also for a key that is no point.
    func changeRecoverySettings(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let isEnabled = try input.optionalBoolean("activationRecoveryEnabled") ?? false
        let printsCards = try input.optionalBoolean("recoveryPostcardEnabled") ?? false
        let allowsMultiple = try input.optionalBoolean("allowMultipleRecoveryCodes") ?? false
        let printerKey = try input.optionalText("remotePostcardPublicKey").flatMap { $0.isEmpty ? nil : $0 }
        if let printerKey, (try? CurvePoint(WireBase64.decode(printerKey) ?? [], of: "key")) == nil {
            try input.refuse("remotePostcardPublicKey", "a point of P-256 in Base64")
        }
        try input.check()
        try change { turn in
            var application = try knownApplication(id, in: turn.db)
            application.offersRecovery = isEnabled
            try turn.update(application)
            var settings = try RecoverySettings.find(id, in: turn.db) ?? RecoverySettings()
            (settings.printsCards, settings.allowsMultiple) = (printsCards, allowsMultiple)
            settings.printerKey = printerKey ?? settings.printerKey
            if printsCards, settings.privateKey == nil {
                settings.privateKey = Base64.encode(
                    try services.entropy.privateKey("powerauth.recovery-key").ecSecret())
            }
            try settings.store(for: id, in: turn.db)
        }
        return .management(["updated": true])
    }

    /// - Throws: `ERR0024`: this part of the API has no code of its own for it.
    private func knownApplication(_ id: String, in db: Connection) throws -> Application {
        if let application = try Application.find(id, in: db) { return application }
        throw ManagementRefusal(.invalidRequest, "There is no application “\(id.prefix(60))”.")
    }

    private func recoverable(_ id: String, in db: Connection) throws -> Application {
        let application = try knownApplication(id, in: db)
        guard application.offersRecovery else {
            throw ManagementRefusal(
                .invalidRequest,
                "The application “\(id)” offers no recovery; recovery/config/update switches it on.")
        }
        return application
    }

    private func printerSecret(
        of application: Application, user: String, in db: Connection
    ) throws -> [UInt8] {
        let settings = try RecoverySettings.find(application.id, in: db) ?? RecoverySettings()
        guard settings.printsCards else {
            throw ManagementRefusal(
                .invalidRequest,
                "The application “\(application.id)” prints no recovery codes on cards; recovery/config/update switches it on."
            )
        }
        let others = try RecoveryCode.numbered(in: db).filter {
            $0.code.application == application.id && $0.code.user == user && $0.code.activation == nil
                && [.created, .active].contains($0.code.state)
        }
        guard settings.allowsMultiple || others.isEmpty else {
            throw ManagementRefusal(
                .recoveryCodeExists,
                "The user “\(user)” has the recovery code \(others[0].id) already, and one is allowed; revoke it first."
            )
        }
        guard let secret = try settings.agreedSecret() else {
            throw ManagementRefusal(
                .recoveryConfigurationInvalid,
                "The application “\(application.id)” has no remotePostcardPublicKey, with which code and PUKs are made."
            )
        }
        return secret
    }
}

extension RecoveryCode {
    /// Its last group alone.
    fileprivate var masked: String { "XXXXX-XXXXX-XXXXX-" + code.suffix(5) }

    /// - Parameter shown: the state of the PUKs that are told; all of them when nil.
    fileprivate func members(_ id: Int, showing shown: PUK.State?) -> JSONValue {
        var members: [String: JSONValue] = [
            "recoveryCodeId": .integer(id), "recoveryCodeMasked": .string(masked), "userId": .string(user),
            "applicationId": .string(application), "status": .string(state.rawValue),
        ]
        members["activationId"] = activation.map(JSONValue.string)
        members["puks"] = .array(
            zip(puks, 1...).filter { shown == nil || $0.0.state == shown }.map { puk, position in
                ["pukIndex": .integer(position), "status": .string(puk.state.rawValue)]
            })
        return .object(members)
    }
}
