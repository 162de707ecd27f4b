import DeviceKit
package import Essentials

/// What the server tells of the activation.
package struct ActivationStatus: Sendable, Equatable {
    package enum State: UInt8, Sendable {
        case created = 1
        case pendingCommit = 2
        case active = 3
        case blocked = 4
        case removed = 5
    }

    package let state: State
    package let failedAttempts: Int
    package let maximumFailedAttempts: Int
    /// Steps of the counter that the server tries; nil in protocol 3.0, which does not tell.
    package let lookAhead: Int?
    package let currentVersion: Int
    package let upgradeVersion: Int
    /// Steps that the server's counter was ahead; below zero when the device's was.
    package let counterDistance: Int
    package let customObject: JSONValue?
    /// Of protocol 4.0; empty before.
    package var flags: Flags = []

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let confirmationPending = Flags(rawValue: 1)
        package static let upgradePending = Flags(rawValue: 2)
        /// New activations of the suite are not made any more.
        package static let suiteUnsupported = Flags(rawValue: 4)
        package static let biometryEnabled = Flags(rawValue: 8)
    }

    /// - Parameter tellsCounter: false in protocol 3.0, where the bytes about the counter are random.
    init(
        _ blob: StatusBlob, tellsCounter: Bool, counterDistance: Int = 0, customObject: JSONValue?
    ) throws {
        guard let state = State(rawValue: blob.state) else {
            throw DeviceError("the status blob has the state \(blob.state)")
        }
        guard !tellsCounter || 1...64 ~= blob.lookAhead else {
            throw DeviceError("the status blob has a look-ahead of \(blob.lookAhead)")
        }
        self.state = state
        failedAttempts = Int(blob.failedAttempts)
        maximumFailedAttempts = Int(blob.maximumFailedAttempts)
        lookAhead = tellsCounter ? Int(blob.lookAhead) : nil
        currentVersion = Int(blob.currentVersion)
        upgradeVersion = Int(blob.upgradeVersion)
        self.counterDistance = counterDistance
        self.customObject = customObject
    }

    /// Of protocol 4.0.
    init(_ told: Protocol4.Status, counterDistance: Int = 0, customObject: JSONValue?) throws {
        guard let state = State(rawValue: told.state) else {
            throw DeviceError("the status has the state \(told.state)")
        }
        guard 1...64 ~= told.lookAhead else {
            throw DeviceError("the status has a look-ahead of \(told.lookAhead)")
        }
        self.state = state
        failedAttempts = Int(told.failedAttempts)
        maximumFailedAttempts = Int(told.maximumFailedAttempts)
        lookAhead = Int(told.lookAhead)
        currentVersion = Int(told.currentVersion)
        upgradeVersion = Int(told.upgradeVersion)
        self.counterDistance = counterDistance
        self.customObject = customObject
        flags = Flags(rawValue: told.flags)
    }
}

/// The counters of device and server describe different chains, or are too far from each other: only a new activation helps.
package struct CounterDeadlock: Error, Equatable {
    /// Steps between the two counter bytes; below zero when the device is ahead.
    package let byteDistance: Int
    /// Steps after which the server's hash was found; nil when it was not.
    package let hashDistance: Int?
}
