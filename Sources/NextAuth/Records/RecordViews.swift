import Essentials
import PlatformKit

// What the console shows of each kind.

extension ConsoleRecord {
    /// - Parameter facts: those without a value are left out.
    init(
        _ kind: Holding, _ key: String, _ title: String, user: String? = nil, state: String, at: Date,
        _ facts: [(String, String?)], code: String? = nil, actions: [Action] = [],
        steps: [Transaction.Step] = []
    ) {
        self.init(
            id: kind.id(key), title: title, user: user, state: state, createdAt: at,
            facts: Fact.known(facts),
            code: code, actions: actions, steps: steps)
    }
}

extension ConsoleRecord.Action {
    init(_ action: RecordAction, _ title: String, inputs: [ConsoleRecord.Input] = [], isFinal: Bool = false) {
        self.init(action.rawValue, title, inputs: inputs, isFinal: isFinal)
    }
}

extension Server {
    func record(accounts: Int) -> ConsoleRecord {
        let numbers = [
            ("ping_time", "Ping time in seconds", pingTime),
            ("pin_timeout", "PIN timeout in minutes", pinTimeout),
            ("pin_trans_timeout", "PIN timeout of transactions in minutes", pinTransTimeout),
        ]
        return ConsoleRecord(
            .server, id, name, state: pingTime > 0 ? "continuous" : "one-shot", at: .ofFixtures,
            [
                ("Server id", id), ("Public key", publicKey), ("Accounts", String(accounts)),
                ("Flags", flags.isEmpty ? nil : flags.joined(separator: ", ")),
                ("Fingerprint", VisualHash(of: publicKey).fingerprint),
            ] + numbers.map { ($0.1, String($0.2)) },
            actions: [
                ConsoleRecord.Action(
                    .change, "Change",
                    inputs: numbers.map { ConsoleRecord.Input($0.0, $0.1, preset: String($0.2)) })
            ])
    }
}

extension User {
    /// What names a user in the address of its record.
    var recordKey: String { server + " " + id }

    func record(accounts: [Account], serverName: String) -> ConsoleRecord {
        ConsoleRecord(
            .user, recordKey, id, user: id, state: accounts.isEmpty ? "without accounts" : "enrolled",
            at: createdAt,
            [
                ("Server", serverName),
                (
                    "Accounts",
                    accounts.isEmpty ? nil : accounts.map { "\($0.id), \($0.name)" }.joined(separator: "\n")
                ),
                ("Attributes", attributes.isEmpty ? nil : JSONValue.object(attributes).text), ("Role", role),
                ("Last login", lastLoginAt.map(Timestamp.text)),
            ], actions: [ConsoleRecord.Action(.delete, "Delete", isFinal: true)])
    }
}

extension Account {
    func record(serverName: String) -> ConsoleRecord {
        ConsoleRecord(
            .account, String(id), name, user: user, state: isBlocked ? "BLOCKED" : "ACTIVE", at: createdAt,
            [
                ("Server", serverName), ("Account id", String(id)), ("Device", description),
                ("Instance", instance),
                ("Second factor", isHeadless ? "none: headless" : "PIN or biometrics"),
                ("User input", userInput), ("Public key", publicKey),
                ("Last login", lastLoginAt.map(Timestamp.text)),
                ("Last push", lastProvokedAt.map(Timestamp.text)),
            ],
            actions: [
                isBlocked ? ConsoleRecord.Action(.unblock, "Unblock") : ConsoleRecord.Action(.block, "Block"),
                ConsoleRecord.Action(.delete, "Delete", isFinal: true),
            ])
    }
}

extension Instance {
    func record(accounts: [Account], tries: Int) -> ConsoleRecord {
        let isMarred = factor.failures > 0
        return ConsoleRecord(
            .device, id, name ?? "Device \(platform.rawValue)", user: accounts.lazy.compactMap(\.user).first,
            state: "PIN " + factor.state(tries: tries).rawValue, at: createdAt,
            [
                ("Platform", "\(platform.rawValue), \(clientVersion)"), ("Push token", pushToken),
                (
                    "Accounts",
                    accounts.isEmpty ? nil : accounts.map { "\($0.id), \($0.name)" }.joined(separator: "\n")
                ),
                ("Wrong PINs", isMarred ? "\(factor.failures) of \(tries)" : nil),
                ("Biometrics", factor.biometricKey == nil ? nil : "set"),
                ("Second factor verified", factor.verifiedAt.map(Timestamp.text)),
                ("Cached second factor", factor.isErased ? "erased by the end of an AppLogin" : nil),
            ],
            actions: (isMarred ? [ConsoleRecord.Action(.unlock, "Unlock the PIN")] : [])
                + [ConsoleRecord.Action(.wipe, "Wipe", isFinal: true)])
    }
}

extension DeviceSession {
    func record(account: Account?, serverName: String) -> ConsoleRecord {
        let isRunning = endedAt == nil
        let steps = [Transaction.Step("LOGGED_IN", at: startedAt)]
        let end = endedAt.map { [Transaction.Step(ending?.rawValue ?? "ended", at: $0)] } ?? []
        return ConsoleRecord(
            .session, id, isAppLogin ? "AppLogin" : "Login by \(type.rawValue)",
            user: account?.user ?? account?.name,
            state: !isRunning ? "LOGGED_OUT" : pingTime == 0 ? "LOGGED_IN_ONE_SHOT" : "LOGGED_IN",
            at: startedAt,
            [
                ("Server", serverName), ("Account id", String(self.account)),
                ("Session id on the wire", hsid),
                ("webNonce", webNonce), ("Ping time", pingTime == 0 ? nil : "\(pingTime) s"),
                ("Last ping", pingTime == 0 ? nil : Timestamp.text(lastPingAt)),
                ("Ends without a ping", isRunning ? deadline.map { Timestamp.text($0.at) } : nil),
                ("Inactivity timeout", inactivityTimeout.map { "\($0) s" }),
                ("Last activity", activityAt.map(Timestamp.text)),
            ],
            actions: !isRunning
                ? []
                : [ConsoleRecord.Action(.stop, "Stop")]
                    + (pingTime == 0 ? [] : [ConsoleRecord.Action(.missPing, "Miss the ping")]),
            steps: steps + end)
    }
}

extension Code {
    func record(serverName: String, at now: Date) -> ConsoleRecord {
        let state = usedAt != nil ? "USED" : now >= expiresAt ? "EXPIRED" : "OPEN"
        let data = CodeData(kind: .enrol, base: "", server: server, hsid: hsid, ticket: ticket).text
        return ConsoleRecord(
            .enrolment, ticket, "Enrolment of \(name ?? "an account")", user: user, state: state,
            at: createdAt,
            [
                ("Server", serverName), ("Code", state == "OPEN" ? data : nil),
                ("Used", usedAt.map(Timestamp.text)), ("Expires", Timestamp.text(expiresAt)),
            ], code: state == "OPEN" ? data : nil)
    }
}
