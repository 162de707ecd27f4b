import Crypto
import Essentials
package import PlatformKit
import SQLite

extension PowerAuth: HoldsTransactions {
    package func newestTransactions(_ limit: Int) throws -> [Transaction] {
        let now = services.clock.now()
        return try database.read { db in
            let templates = try world.templates(in: db)
            return try db.all(
                // In the order in which they stand, since sorting would hold all of them at once.
                Operation.self, order: "position DESC", limit: limit,
                making: { operation in
                    var shown = operation.shown(templates, at: now).shortened(to: Self.shownLength)
                    if shown.isOpen {
                        shown.code = try code(of: operation, at: now, in: db)
                        shown.actions = try actions(of: operation, at: now, in: db)
                    }
                    return shown
                })
        }
    }

    /// Characters of a text that the console and the control API show. Parameters may have millions, and a hundred of those would not fit into
    /// a small container.
    private static let shownLength = 2000

    package func countOpenTransactions() throws -> Int {
        let now = services.clock.now()
        return try database.read { try Operation.countPending(at: now, in: $0) }
    }

    /// `approve` and `reject`, of an operation of nobody with the user behind a colon: `approve:ada`; `cancel`, also with a reason
    /// behind a colon; `expire`.
    package func decide(_ action: String, on transactionID: String) throws {
        try change { turn in
            guard let operation = try Operation.find(transactionID, in: turn.db) else {
                throw TransactionRefusal.unknown(transactionID)
            }
            let parts = action.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard let word = parts.first.flatMap(OperationAction.init(rawValue:)) else {
                throw TransactionRefusal.actionUnknown(action, known: operation.actions(at: turn.now))
            }
            let state = operation.state(at: turn.now)
            guard state == .pending else { throw TransactionRefusal.tooLate(action, state: state.rawValue) }
            let detail = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
            do {
                try apply(word, detail, to: operation, in: turn)
            } catch let refusal as OperationRefusal {
                throw TransactionRefusal.impossible(refusal.explanation)
            }
        }
    }

    /// An operation of nobody names who could act, as long as they are few.
    private func actions(of operation: Operation, at now: Date, in db: Connection) throws -> [String] {
        let actions = operation.actions(at: now)
        guard operation.user == nil else { return actions }
        let users = try Activation.activeUsers(atMost: Self.namedUsers, in: db)
        return actions.flatMap { action in
            let isOfUser = [OperationAction.approve, .reject].map(\.rawValue).contains(action)
            return isOfUser ? users.map { "\(action):\($0)" } : [action]
        }
    }

    private static let namedUsers = 5

    private func apply(
        _ action: OperationAction, _ detail: String?, to operation: Operation, in turn: Turn
    ) throws {
        switch action {
        case .cancel:
            guard (detail?.count ?? 0) <= 32 else {
                throw TransactionRefusal.impossible(
                    "The reason of a cancellation has at most 32 characters.")
            }
            _ = try operations.cancel(operation.id, reason: detail, in: turn)
        case .expire: try operations.expire(operation, in: turn)
        case .approve, .reject:
            guard let user = operation.user ?? detail else {
                throw TransactionRefusal.impossible(
                    "The operation has no user yet; say who acts, as in “\(action.rawValue):ada”.")
            }
            guard detail == nil || detail == user else {
                throw TransactionRefusal.impossible("The operation belongs to “\(user)” already.")
            }
            let result = try decide(action, on: operation, as: user, in: turn)
            guard let explanation = result.explanation else { return }
            throw operations.refusal(TransactionRefusal.impossible(explanation), of: result, in: turn)
        }
    }

    /// What a device of the user would bring.
    private func decide(
        _ action: OperationAction, on operation: Operation, as user: String, in turn: Turn
    ) throws -> OperationResult {
        guard let type = operation.types.first, let application = operation.applications.first else {
            throw TransactionRefusal.impossible("The operation has no factors or no application.")
        }
        let device = try operation.activation ?? activeDevice(of: user, in: application, turn)
        var facts: [String: JSONValue] = [
            Operation.AdditionalMember.application: .string(application),
            Operation.AdditionalMember.ipAddress: "127.0.0.1",
            Operation.AdditionalMember.userAgent: .string(Self.consoleAgent),
        ]
        facts[Operation.AdditionalMember.activation] = device.map(JSONValue.string)
        if action == .approve { facts[Operation.AdditionalMember.factors] = .string(type.rawValue) }
        let decision = OperationDecision(
            user: user, application: application, activation: device, data: operation.data,
            type: type, proximityOTP: try operation.proximityOTP(at: turn.now), additionalData: facts)
        if action == .reject { return try operations.reject(operation.id, decision, in: turn) }
        if operation.user == nil { _ = try operations.claim(operation.id, for: user, in: turn) }
        return try operations.approve(operation.id, decision, in: turn)
    }

    /// In the form of the SDKs, so that the description of a device can be made of it.
    private static let consoleAgent =
        "UnderstudyNetworking/1.0.0 (en; wifi) Understudy/1.0.0 (Console; Understudy/1.0.0; Console)"

    private func activeDevice(of user: String, in application: String, _ turn: Turn) throws -> String? {
        try Activation.all(of: user, in: turn.db).first {
            $0.application == application && $0.state(at: turn.now) == .active
        }?.id
    }

    /// What a QR code of it says: a deep link for a device that is near or claims it; otherwise what a device of the user approves
    /// without a network.
    private func code(of operation: Operation, at now: Date, in db: Connection) throws -> String? {
        if operation.user == nil || operation.proximitySeed != nil {
            let otp = try operation.proximityOTP(at: now).map { "&totp=\($0)" } ?? ""
            return "powerauth://operation?oid=\(operation.id)\(otp)"
        }
        guard let user = operation.user,
            let device = try Activation.all(of: user, in: db).first(where: { activation in
                activation.state == .active && operation.applications.contains(activation.application)
                    && (operation.activation ?? activation.id) == activation.id
            })
        else { return nil }
        // The same nonce each time, so that the picture says the same when it is looked at again.
        let nonce = Array(Digest.sha256(Array(operation.id.utf8)).prefix(Nonce.count))
        let text = try operation.offlineCode(
            by: device.offlineKey(in: db), nonce: Nonce(nonce), world.templates(in: db), at: now)
        return text.utf8.count > Self.symbolBytes ? nil : text
    }

    /// The most that a QR code holds, of version 40 at the lowest level of correction. Source: ISO/IEC 18004, table 7.
    private static let symbolBytes = 2953
}
