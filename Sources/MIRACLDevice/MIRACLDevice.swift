package import DeviceKit
import Essentials

/// A client of MIRACL in software: one user on one device, in one of the generations of the vendor's SDKs.
///
/// A value that holds all that a real client keeps, so that it can be stored and copied; a copy is a stolen device. It computes by the
/// published description of M-Pin and knows nothing of the server's code. The services are given with each call.
///
/// Source: the M-Pin SDK core of Apache Milagro; MIRACL's wrappers of the MFA SDK; client-js 4 to 8; the Trust SDKs. Not emulated: access
/// numbers, which the classic SDK for browsers asked for.
package struct MIRACLDevice: Sendable, Codable {
    /// States of a user, as the native SDK calls them.
    package enum State: String, Sendable, Codable {
        case invalid = "INVALID"
        case startedRegistration = "STARTED_REGISTRATION"
        case activated = "ACTIVATED"
        case registered = "REGISTERED"
        case blocked = "BLOCKED"
    }

    /// What the device knows between the start of a registration and the choice of the PIN.
    struct Registration: Sendable, Codable, Equatable {
        var mpinID: String
        /// Empty where the shares come without one.
        var token: String
        var shares: [String] = []
        var dtas = ""
    }

    /// The permit of a day, which the classic SDK fetches before it proves anything.
    struct Permit: Sendable, Codable, Equatable {
        /// Days since 1970.
        let day: UInt32
        let shares: [String]
    }

    package private(set) var configuration: Configuration
    package let userID: String
    package let name: String
    package internal(set) var state = State.invalid
    /// Proves who the user is, and signs in the newest generation.
    package internal(set) var identity: MPinToken?
    /// Signs in the second generation; its PIN is another one.
    package internal(set) var signing: MPinToken?
    var registration: Registration?
    var permit: Permit?
    /// What the server told of its addresses.
    var settings: JSONValue?
    /// Where pushes for the app go; told when it registers.
    package var pushToken: String?
    package var faults = Faults()

    private enum CodingKeys: String, CodingKey {
        case configuration, userID, name, state, identity, signing, registration, permit, settings, pushToken
    }

    /// - Parameter name: of the device, as others of the same user see it.
    package init(_ configuration: Configuration, userID: String, name: String = "Phone") {
        (self.configuration, self.userID, self.name) = (configuration, userID, name)
    }

    var generation: Generation { configuration.generation }

    /// Whether the SDK is of the third generation.
    package var isTrust: Bool { generation.isTrust }

    /// The app is built with another address of the same server from now on.
    package mutating func move(to base: String, using services: DeviceServices) throws {
        configuration = Configuration(
            generation, base: base, project: configuration.project, clientID: configuration.clientID)
        if settings != nil { try setBackend(using: services) }
    }

    /// `DeleteUser`: nothing is left of the user, and no server is told.
    package mutating func forget() {
        (state, identity, signing) = (.invalid, nil, nil)
        (registration, permit) = (nil, nil)
    }

    func required(_ token: MPinToken?) throws -> MPinToken {
        guard let token else { throw DeviceError("the user “\(userID)” is not registered on this device") }
        return token
    }

    /// Mistakes that the device makes on purpose; each is off by default, and none is stored.
    package struct Faults: Sendable {
        /// Sends each request twice and takes the second answer.
        package var sendsTwice = false
        /// Answers another number than the server's.
        package var breaksProof = false
        /// Commits to a point beside the curve.
        package var commitsBesideCurve = false
        /// Sent in place of the public key, in registrations and proofs.
        package var publicKey: String?
        /// Sent in place of the M-Pin id of a proof.
        package var mpinID: String?
        /// Seconds added to the time of a signature.
        package var timeShift = 0
        /// Signs this in place of the document's hash, in hexadecimal.
        package var signedHash: String?

        package init() {}
    }
}

extension MIRACLDevice {
    /// What an app is built with.
    package struct Configuration: Sendable, Codable, Equatable {
        package let generation: Generation
        /// The server's address without a slash behind; those that the server tells begin with it.
        package let base: String
        /// Id of the project, which the vendor once called company.
        package let project: String?
        /// Id of an OpenID Connect client; the classic SDK alone says it.
        package let clientID: String?

        package init(_ generation: Generation, base: String, project: String?, clientID: String? = nil) {
            (self.generation, self.base) = (generation, base)
            (self.project, self.clientID) = (project, clientID)
        }
    }

    /// The generations of clients. Source of the names: the vendor's.
    package enum Generation: String, Sendable, Codable, CaseIterable {
        /// The open SDK of Apache Milagro.
        case classic
        /// The native mobile SDK, and client-js 4 to 6.
        case mfa
        /// client-js 7, and the SDK for iOS of 2025: Trust over the addresses of MFA.
        case olderTrust
        /// client-js 8, and the SDK for Android.
        case trust

        /// Whether identities have a key pair, and errors a code.
        var isTrust: Bool { self == .trust || self == .olderTrust }
    }
}
