/// What a device learns about its activation.
package struct StatusBlob: Sendable, Equatable {
    package enum State: UInt8, Sendable, CaseIterable {
        case created = 1
        case pendingCommit = 2
        case active = 3
        case blocked = 4
        case removed = 5
    }

    package var state: State
    /// Major version of the protocol.
    package var currentVersion: Int
    /// A larger one than the current makes the SDK start an upgrade.
    package var upgradeVersion: Int
    package var failedAttempts: Int
    package var maxFailedAttempts: Int
    /// 1 to 64, or the SDK refuses the status.
    package var lookAhead: Int
    /// Counter of the next code that is expected, and its data.
    package var counter: Int
    package var counterData: HashCounter

    package init(
        state: State, currentVersion: Int = 3, upgradeVersion: Int = 3, failedAttempts: Int,
        maxFailedAttempts: Int, lookAhead: Int, counter: Int, counterData: HashCounter
    ) {
        self.state = state
        self.currentVersion = currentVersion
        self.upgradeVersion = upgradeVersion
        self.failedAttempts = failedAttempts
        self.maxFailedAttempts = maxFailedAttempts
        self.lookAhead = lookAhead
        self.counter = counter
        self.counterData = counterData
    }

    static let count = 32
    private static let magic: [UInt8] = [0xDE, 0xC0, 0xDE, 0xD1]

    /// The 15 bytes that every version has, laid over `filler`, which fills the rest of the 32.
    func bytes(over filler: [UInt8]) throws -> [UInt8] {
        guard filler.count == Self.count else {
            throw ProtocolFault.malformed(
                part: "filler of the status", expected: "32 bytes", got: "\(filler.count) bytes")
        }
        var bytes = filler
        bytes.replaceSubrange(0..<4, with: Self.magic)
        bytes[4] = state.rawValue
        bytes[5] = UInt8(clamping: currentVersion)
        bytes[6] = UInt8(clamping: upgradeVersion)
        bytes[13] = UInt8(clamping: failedAttempts)
        bytes[14] = UInt8(clamping: maxFailedAttempts)
        return bytes
    }
}

/// What each side drew for one answer about the status.
package struct StatusExchange: Sendable, Equatable {
    /// Of the device.
    package let challenge: Nonce
    /// Of the server.
    package let nonce: Nonce

    package init(challenge: Nonce, nonce: Nonce) {
        self.challenge = challenge
        self.nonce = nonce
    }
}
