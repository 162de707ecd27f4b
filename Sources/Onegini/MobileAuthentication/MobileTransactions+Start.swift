import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// A transaction that is about to begin: what was asked, and the way that was found.
private struct PlannedStart: Sendable {
    let order: StartRequest
    let type: MobileAuthenticationType
    let route: MobileRoute
    /// Id of the API client; nil in v1.
    let portal: String?
}

// How they begin.
extension MobileTransactions {
    /// Asks a user. What is refused is an event of its own.
    ///
    /// - Parameter client: nil in v1.
    /// - Throws: ``PortalFault``.
    func start(_ order: StartRequest, by client: Client?, _ request: Request) throws -> MobileTransaction {
        do {
            return try begin(plan(order, by: client), request)
        } catch let error as PortalFault {
            try noteFailure(error, order, client, request)
            throw error
        }
    }

    /// The checks of a start from the third on, in their order. The order is *assumed*, the refusals are documented.
    private func plan(_ order: StartRequest, by client: Client?) throws -> PlannedStart {
        guard let name = order.type else {
            throw PortalFault.parameterInvalid(
                "The parameter type is missing. The request is a form: type=…&callback_uri=….")
        }
        // 3, 4
        guard let type = settings.type(name) else {
            throw PortalFault.typeUnknown(name, known: settings.types.map(\.name))
        }
        try order.checkParameters(for: type)
        // 5. *Assumed*: characters are counted as Java does.
        if let message = order.message, message.utf16.count > settings.messageLimit {
            throw PortalFault.messageTooLong(message.utf16.count, limit: settings.messageLimit)
        }
        // 6
        if let uri = order.callbackURI { try check(callbackURI: uri) }
        // 7
        let route = try world.database.read { db in try findRoute(order, type, in: db) }
        return PlannedStart(order: order, type: type, route: route, portal: client?.id)
    }

    private func check(callbackURI: String) throws {
        if let fault = CallbackAddress.fault(of: callbackURI) {
            throw PortalFault.parameterInvalid(
                "The parameter callback_uri, “\(callbackURI.prefix(200))”, \(fault).")
        }
        guard settings.hasCallbackAllowList, settings.receiver(callbackURI) == nil else { return }
        let listed = settings.callbacks.map(\.url)
        throw PortalFault.parameterInvalid(
            "The parameter callback_uri, “\(callbackURI.prefix(200))”, is not on the allow list, which is compared "
                + "character by character. " + (CallbackAddress.slip(callbackURI, among: listed) ?? "")
                + "Listed are: " + (listed.isEmpty ? "none" : listed.joined(separator: ", "))
                + "; add it to onegini.mobile_authentication.callbacks, or switch callback_allow_list off.")
    }

    private func findRoute(
        _ order: StartRequest, _ type: MobileAuthenticationType,
        in db: Connection
    ) throws -> MobileRoute {
        let enrolled = try order.userID.map { try db.enrollments(of: $0) } ?? []
        let meant = try enrolled.filter { enrollment in
            if let id = order.deviceID { return enrollment.clientID == id }
            guard let id = order.applicationID else { return true }
            return try db.device(enrollment.clientID)?.application == id
        }
        let phone = order.phoneNumber != nil
        if let route = settings.route(of: type, to: meant, hasPhoneNumber: phone) { return route }
        throw PortalFault.noRoute(
            try noRouteReason(order, type, enrolled: enrolled, meant: meant, in: db))
    }

    private func noRouteReason(
        _ order: StartRequest, _ type: MobileAuthenticationType, enrolled: [Enrollment], meant: [Enrollment],
        in db: Connection
    ) throws -> String {
        let user = order.userID ?? ""
        let fallback =
            switch type.fallback {
            case nil: " The type “\(type.name)” has no fallback."
            case let name?: " The fallback “\(name)” was not used, because no phone_number was sent."
            }
        if try !registry.knows(user, in: db) {
            return "There is no user “\(user.prefix(60))” in this world."
        }
        if enrolled.isEmpty {
            return "The user “\(user.prefix(60))” is enrolled for mobile authentication on no device."
                + fallback
        }
        if meant.isEmpty {
            let place = order.deviceID.map { "device \($0)" } ?? "application \(order.applicationID ?? "")"
            return
                "The user “\(user.prefix(60))” is enrolled, but not on the \(place.prefix(120)); enrolled are: "
                + enrolled.map(\.clientID).joined(separator: ", ") + "." + fallback
        }
        return
            "The user “\(user.prefix(60))” is enrolled there, but not for push: the app has to send its push token "
            + "with PUT /sdk/v1/mobile-auth/push." + fallback
    }

    /// Stores the transaction and sends what its user shall get.
    private func begin(_ plan: PlannedStart, _ request: Request) throws -> MobileTransaction {
        let transaction = makeTransaction(plan)
        try transaction.checkSize()
        return try world.change { turn in
            var transaction = transaction
            if let drawn = transaction.smsCode, let number = transaction.phoneNumber {
                transaction.smsCode = try turn.code(for: number, insteadOf: drawn)
            }
            try turn.db.delete(MobileTransaction.self, where: "gone_at <= \(turn.now)")
            try turn.insert(transaction)
            try deliver(transaction, turn)
            guard transaction.method == .otp else { return transaction }
            try turn.insert(
                Event(
                    .otpAuthInitialized, clientID: plan.portal, transactionID: transaction.id, request,
                    registry.services))
            return transaction
        }
    }

    private func makeTransaction(_ plan: PlannedStart) -> MobileTransaction {
        let (order, type, entropy) = (plan.order, plan.route.type, registry.services.entropy)
        let now = registry.now
        let message = order.message ?? plan.type.message(in: order.language) ?? ""
        let isPush = type.method.isPush
        return MobileTransaction(
            id: entropy.uuid(for: "onegini.transaction"), type: type.name, method: type.method,
            portal: plan.portal ?? "", callbackURI: order.callbackURI ?? "",
            message: order.context.enrich(message, settings.context, language: order.language),
            secureMessage: order.secureMessage,
            signingData: isPush && type.isSigning ? order.signingData : nil,
            otp: type.method == .otp ? Hex.encode(entropy.bytes(32, "onegini.otp")).uppercased() : nil,
            challenge: Hex.encode(entropy.bytes(16, "onegini.challenge")),
            pageKey: Hex.encode(entropy.bytes(16, "onegini.page")), subject: order.userID,
            clientID: plan.route.enrollment?.clientID, profileID: plan.route.enrollment?.profileID,
            phoneNumber: type.method == .sms ? order.phoneNumber : nil,
            smsCode: type.method == .sms ? entropy.digits(6, for: "onegini.sms") : nil, attempts: 0,
            resends: 0, stored: .initialized, createdAt: now, expiresAt: now + Double(type.expiresIn))
    }

    private func noteFailure(
        _ error: PortalFault, _ order: StartRequest, _ client: Client?, _ request: Request
    ) throws {
        let isOTP = order.type.flatMap { settings.type($0) }?.method == .otp
        let type: EventType =
            if error.isTypeUnknown {
                .mobileAuthInitFailureInvalidAuthPropertiesName
            } else {
                isOTP ? .otpAuthInitFailure : .mobileAuthInitFailureInvalidReq
            }
        try AuditLog(world).note(
            Event(type, clientID: client?.id, subject: order.userID, request, registry.services))
    }
}

extension MobileTransaction {
    /// What a device reads has to fit into one message to it. The limit is ours.
    fileprivate func checkSize() throws {
        let size = plaintext(for: profileID ?? "AAAAAA").bytes.count
        guard size <= OpenPGP.maximumPlaintext else {
            throw PortalFault.parameterInvalid(
                "With secure_message and signing_data the message to the device has \(size) bytes of JSON; it may have "
                    + "\(OpenPGP.maximumPlaintext).")
        }
    }
}
