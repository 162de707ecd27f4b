import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// A transaction that is about to begin: what was asked, and the way that was found.
struct PlannedStart: Sendable {
    let order: StartRequest
    let type: MobileAuthenticationType
    let route: MobileRoute
    /// Id of the API client; nil in v1.
    let portal: String?
}

extension Onegini {
    /// The checks of a start from the third on, in their order. The order is *assumed*, the refusals are documented.
    func plan(
        _ order: StartRequest, by client: Client?, _ settings: MobileAuthenticationSettings
    ) throws -> PlannedStart {
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
        if let uri = order.callbackURI { try check(callbackURI: uri, settings) }
        // 7
        let route = try database.read { db in try findRoute(order, type, settings, in: db) }
        return PlannedStart(order: order, type: type, route: route, portal: client?.id)
    }

    private func check(callbackURI: String, _ settings: MobileAuthenticationSettings) throws {
        if let fault = CallbackAddress.fault(of: callbackURI) {
            throw PortalFault.parameterInvalid(
                "The parameter callback_uri, \"\(callbackURI.prefix(200))\", \(fault).")
        }
        guard settings.hasCallbackAllowList, settings.receiver(callbackURI) == nil else { return }
        let listed = settings.callbacks.map(\.url)
        throw PortalFault.parameterInvalid(
            "The parameter callback_uri, \"\(callbackURI.prefix(200))\", is not on the allow list, which is compared "
                + "character by character. " + (CallbackAddress.slip(callbackURI, among: listed) ?? "")
                + "Listed are: " + (listed.isEmpty ? "none" : listed.joined(separator: ", "))
                + "; add it to onegini.mobile_authentication.callbacks, or switch callback_allow_list off.")
    }

    private func findRoute(
        _ order: StartRequest, _ type: MobileAuthenticationType, _ settings: MobileAuthenticationSettings,
        in db: Connection
    ) throws -> MobileRoute {
        let enrolled = try order.userID.map { try db.enrollments(of: $0) } ?? []
        let meant = try enrolled.filter { enrollment in
            if let id = order.deviceID { return enrollment.clientID == id }
            guard let id = order.applicationID else { return true }
            return try db.device(enrollment.clientID)?.application == id
        }
        let phone = order.phoneNumber != nil
        if let route = route(of: type, to: meant, hasPhoneNumber: phone, settings) { return route }
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
            case nil: " The type \"\(type.name)\" has no fallback."
            case let name?: " The fallback \"\(name)\" was not used, because no phone_number came."
            }
        if try !knows(user, in: db) { return "Nobody in this world is the user \"\(user.prefix(60))\"." }
        if enrolled.isEmpty {
            return "The user \"\(user.prefix(60))\" is enrolled for mobile authentication on no device."
                + fallback
        }
        if meant.isEmpty {
            let place = order.deviceID.map { "device \($0)" } ?? "application \(order.applicationID ?? "")"
            return
                "The user \"\(user.prefix(60))\" is enrolled, but not on the \(place.prefix(120)); enrolled are: "
                + enrolled.map(\.clientID).joined(separator: ", ") + "." + fallback
        }
        return
            "The user \"\(user.prefix(60))\" is enrolled there, but not for push: the app has to send its push token "
            + "with PUT /sdk/v1/mobile-auth/push." + fallback
    }
}

extension Onegini {
    /// Stores the transaction and sends what its user shall get.
    func begin(
        _ plan: PlannedStart, _ settings: MobileAuthenticationSettings, _ request: Request
    ) throws -> MobileTransaction {
        let transaction = makeTransaction(plan, settings)
        try transaction.checkSize()
        let now = services.clock.now()
        try world.change { turn in
            try turn.db.delete(MobileTransaction.self, where: "gone_at <= \(now)")
            try turn.insert(transaction)
            try deliver(transaction, settings, turn)
            guard transaction.method == .otp else { return }
            try turn.insert(
                Event(
                    .otpAuthInitialized, clientID: plan.portal, transactionID: transaction.id, request,
                    services))
        }
        return transaction
    }

    private func makeTransaction(
        _ plan: PlannedStart, _ settings: MobileAuthenticationSettings
    ) -> MobileTransaction {
        let (order, type, entropy) = (plan.order, plan.route.type, services.entropy)
        let now = services.clock.now()
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
}

extension MobileTransaction {
    /// What a device reads has to fit into one message to it. The limit is ours.
    fileprivate func checkSize() throws {
        let size = plaintext(for: profileID ?? "AAAAAA").bytes.count
        guard size <= OpenPGP.maximumSize else {
            throw PortalFault.parameterInvalid(
                "With secure_message and signing_data the message to the device has \(size) bytes of JSON; it may have "
                    + "\(OpenPGP.maximumSize).")
        }
    }
}
