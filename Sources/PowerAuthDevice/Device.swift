package import DeviceKit
import Essentials

/// A phone in software that speaks PowerAuth 3.0 to 3.3, or 4.0, as an app with the real mobile SDK does.
///
/// It computes by the public documentation and knows nothing of the server's code, so that each finds the other's mistakes. It opens
/// no socket, reads no clock and draws no chance: all three are given. A class, because a phone is one thing that changes under all
/// who hold it; what outlives it is in ``activation``, ``tokens``, ``version`` and ``algorithm``.
package final class Device {
    package typealias Transport = (DeviceRequest) throws -> DeviceResponse

    package let configuration: MobileConfiguration
    /// Of an activation of protocol 3. May change on a living one, as an update of the app does.
    package var version: Version
    /// The suite of protocol 4.0 with which new activations are made, as by SDK 2.x; nil for one of protocol 3. An activation that
    /// there is keeps its protocol and its suite.
    package var algorithm: Protocol4.Algorithm?
    package var style: DeviceStyle
    /// Nil before activation and after removal.
    package var activation: Activation?
    /// By the names that the app gives them.
    package var tokens: [String: Token] = [:]
    /// Kept until ten seconds before they expire.
    package var temporaryKeys: [Scope: TemporaryKey] = [:]
    /// Milliseconds that the server's clock is ahead; nil as long as the server has not told its time.
    package var clockOffset: Int?
    package var faults = Faults()
    /// The newest request, with everything that was sent.
    package private(set) var lastRequest: DeviceRequest?

    private let clock: () -> Int
    private let random: (Int) -> [UInt8]
    private let transport: Transport

    /// - Parameters:
    ///   - clock: milliseconds since 1970, by the device's own clock.
    ///   - random: that many bytes that nobody can guess.
    package init(
        _ configuration: MobileConfiguration, version: Version = .v33,
        algorithm: Protocol4.Algorithm? = nil, style: DeviceStyle = .ios,
        clock: @escaping () -> Int, random: @escaping (Int) -> [UInt8], transport: @escaping Transport
    ) {
        self.configuration = configuration
        (self.version, self.algorithm) = (version, algorithm)
        self.style = style
        self.clock = clock
        self.random = random
        self.transport = transport
    }

    /// Milliseconds since 1970, by the server's clock as far as it is known.
    package var now: Int { clock() + (clockOffset ?? 0) }

    /// The newest request once more, byte for byte.
    package func replay() throws -> DeviceResponse {
        guard let lastRequest else { throw DeviceError("nothing was sent yet") }
        return try transport(lastRequest)
    }

    /// Steps the counter as so many authentication codes do that never reach the server.
    package func skipCounter(_ steps: Int) throws {
        var activation = try requireActivation()
        for _ in 0..<steps { activation.counter.step() }
        self.activation = activation
    }

    /// Sends the request with the headers that every request has; in protocol 4.0 one without a body has no type.
    package func send(_ request: DeviceRequest) throws -> DeviceResponse {
        var request = request
        if !(isOfFourth && request.body.isEmpty) {
            request.headers.append(("Content-Type", "application/json"))
        }
        request.headers += [
            ("Accept", "application/json"), ("Accept-Language", style.language),
            ("User-Agent", style.userAgent),
        ]
        if let change = faults.body { request.body = change(request.body) }
        lastRequest = request
        return try transport(request)
    }

    /// Whether it speaks protocol 4.0: as its activation does, or without one as a new one will.
    package var isOfFourth: Bool { activation.map { $0.fourth != nil } ?? (algorithm != nil) }

    /// As it stands in requests.
    package var spokenVersion: String { isOfFourth ? Protocol4.version : version.rawValue }

    /// The path of the mobile API below which the device's calls are.
    var root: String { isOfFourth ? "/pa/v4/" : "/pa/v3/" }

    func requireActivation() throws -> Activation {
        guard let activation else { throw DeviceError("the device has no activation") }
        return activation
    }

    func draw(_ count: Int) -> [UInt8] { random(count) }

    var localTime: Int { clock() }

    /// Forgets everything about the activation, as after its removal.
    package func forget() {
        activation = nil
        tokens = [:]
        temporaryKeys[.activation] = nil
    }
}

extension Device {
    /// Version of the mobile protocol that the device's requests speak, where that is not 4.0.
    package enum Version: String, Sendable, Codable, CaseIterable, Comparable {
        case v30 = "3.0"
        case v31 = "3.1"
        case v32 = "3.2"
        case v33 = "3.3"

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }
}

extension Device {
    /// Mistakes that the device makes on purpose, for tests of the server; each is off by default.
    package struct Faults: Sendable {
        /// Changes what is encrypted, before it is.
        package var plaintext: (@Sendable (Purpose, [UInt8]) throws -> [UInt8])?
        /// Changes the claims of a request for a temporary key of protocol 4.0, before they are signed.
        package var claims: (@Sendable ([UInt8]) throws -> [UInt8])?
        /// Changes the body of each request after it was signed, also of those that the device makes by itself.
        package var body: (@Sendable ([UInt8]) -> [UInt8])?
        /// Signs for this resource instead of the right one.
        package var uriID: String?
        /// Says that each authentication code is of this version of the protocol.
        package var version: String?
        /// Turns a bit of each authentication code.
        package var breaksSignature = false
        /// Turns a bit of the MAC of each encrypted body, the outermost.
        package var breaksMAC = false
        /// Milliseconds added to the times of encrypted bodies and tokens; below zero they are stale.
        package var timeShift = 0
        /// Encrypts with this temporary key instead of one of its own.
        package var temporaryKey: TemporaryKey?
        /// Sends this as the id of the temporary key; an empty text leaves it out.
        package var temporaryKeyID: String?
        /// Encrypts for this purpose instead of the right one; protocol 4.0.
        package var purpose: String?
        /// Sent in the key exchange as the device's public key instead of a point.
        package var deviceKey: [UInt8]?

        package init() {}
    }
}
