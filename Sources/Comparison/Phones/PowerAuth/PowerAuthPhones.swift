import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice

/// Phones with PowerAuth in a world, one for each that became active in the recording. What the recorded one signed, encrypted or asked
/// for, they sign, encrypt and ask for anew; where a code was refused there, they type another PIN.
///
/// A class, because a device asks for what it lacks by itself, and that goes through here.
final class PowerAuthPhones: RecordedPhones {
    let plan: PowerAuthPlan
    private var apps: PowerAuthApps?
    /// Keys of applications that the world was asked for.
    private var askedKeys: Set<String> = []
    /// By the recorded ids of their activations.
    private var devices: [String: Device] = [:]
    /// The recorded keys of their applications.
    private(set) var applications: [String: String] = [:]
    /// Not active yet, by the recorded key of the application and the suite.
    private var fresh: [Fresh: Device] = [:]
    private(set) var scene: Scene?
    /// Fields with tokens that were sent, by the recorded ones: one that was sent twice is sent twice here.
    var sentTokens: [String: String] = [:]
    /// The same for right codes.
    var sentCodes: [String: String] = [:]
    /// Recorded ids of operations for which the last code was wrong.
    var missed: Set<String> = []
    /// QR codes of operations in this world, by the nonces of the recorded ones.
    var offlineTexts: [String: String] = [:]

    init(_ plan: PowerAuthPlan) { self.plan = plan }

    private struct Fresh: Hashable {
        let application: String
        /// Nil for protocol 3.
        let suite: Protocol4.Algorithm?
    }

    /// What is played: the request goes out when our phone sends to its path.
    struct Scene {
        let exchange: Exchange
        let path: String
        let request: PlayedRequest
        let known: Substitution
        let stage: Stage
        /// The time of the world.
        let milliseconds: Int
        var answer: Stage.Answer?
        /// What the stage threw, which is no fault of the phone's.
        var failure: (any Error)?

        var isRefused: Bool { exchange.response.status >= 400 }
        var isUnauthorized: Bool { exchange.response.status == 401 }

        /// The recorded id of the operation that a call of the Mobile Token API is about.
        var operation: String? { SpelledJSON(exchange.request.body)?["requestObject"]?["id"]?.string }

        func ours(_ recorded: String) -> String {
            var follows: Int?
            return known.apply(recorded, follows: &follows)
        }
    }

    func play(
        _ exchange: Exchange, _ place: Bases.Place, _ request: inout PlayedRequest, _ known: Substitution,
        now: Date, on stage: Stage
    ) throws -> PhonePlay? {
        let path = place.path.mergedSlashes
        guard let order = PowerAuthOrder(exchange.request, mount: place.mount, path: path) else { return nil }
        let scene = Scene(
            exchange: exchange, path: path, request: request, known: known, stage: stage,
            milliseconds: now.unixMilliseconds)
        self.scene = scene
        defer { self.scene = nil }
        do {
            return try play(order, scene, &request)
        } catch {
            if let failure = self.scene?.failure { throw failure }
            switch error {
            case let obstacle as PhoneObstacle: return PhonePlay(outcome: .impossible(obstacle.reason))
            case let error as DeviceError: return PhonePlay(outcome: .impossible(error.reason))
            default: return PhonePlay(outcome: .impossible("our phone could not make it: \(error)"))
            }
        }
    }

    private func play(
        _ order: PowerAuthOrder, _ scene: Scene, _ request: inout PlayedRequest
    ) throws -> PhonePlay {
        switch order {
        case .temporaryKey(let application, nil, let suite):
            let device = try freshDevice(application, nil, suite.map(Self.suite(named:)), scene)
            return try askingForKey(device, scene) { device in
                device.temporaryKeys[.application] = try device.fetchTemporaryKey(.application)
            }
        case .temporaryKey(_, .some(let activation), _):
            return try askingForKey(device(activation, nil), scene) { device in
                device.temporaryKeys[.activation] = try device.fetchTemporaryKey(.activation)
            }
        case .activation(let fields, let key): return try activate(fields, key, scene)
        case .emptyCall(let fields, let key): return try callEmpty(fields, key, scene)
        case .call(let call, let fields, let token): return try self.call(call, fields, token, scene)
        case .code(let code): return try sign(code, scene, &request)
        case .typed(let code): return try showCode(code, scene, &request)
        case .token(let fields, let proof): return try prove(fields, proof, scene, &request)
        case .unreadable: throw PhoneObstacle("what it says is encrypted, and its route does not tell it")
        }
    }
}

// Devices.

extension PowerAuthPhones {
    /// - Parameter version: of the protocol, which an update of the app changes.
    func device(_ activation: String, _ version: String?) throws -> Device {
        guard let device = devices[activation] else {
            throw PhoneObstacle(
                "it is of an activation of PowerAuth whose beginning is not in the recording, or was not played"
            )
        }
        // One that speaks 4.0 has no other version, and says no other.
        guard let version, !device.isOfFourth else { return device }
        device.version = try Self.version(version)
        return device
    }

    /// One that is still to be activated. A temporary key for it may have been asked for already.
    func freshDevice(
        _ application: String, _ version: String?, _ suite: Protocol4.Algorithm?, _ scene: Scene
    ) throws -> Device {
        let name = Fresh(application: application, suite: suite)
        let device = try fresh[name] ?? makeDevice(application, suite, scene)
        fresh[name] = device
        if let version, suite == nil { device.version = try Self.version(version) }
        return device
    }

    /// The phone is that of an activation from now on.
    func keep(_ device: Device, of activation: String?, _ application: String) {
        fresh[Fresh(application: application, suite: device.algorithm)] = nil
        if let activation { (devices[activation], applications[activation]) = (device, application) }
    }

    /// The suite that a request speaks; nil for one of protocol 3.
    ///
    /// - Parameters:
    ///   - key: the id of the temporary key that it is encrypted with.
    ///   - other: a suite that the recording tells otherwise.
    func suite(
        _ fields: ProofFields, _ key: String?, or other: String? = nil
    ) throws -> Protocol4.Algorithm? {
        guard fields["version"] == Protocol4.version else { return nil }
        return try (key.flatMap { plan.suites[$0] } ?? other).map(Self.suite(named:)) ?? .hybrid3
    }

    private static func suite(named name: String) throws -> Protocol4.Algorithm {
        guard let suite = Protocol4.Algorithm(rawValue: name) else {
            throw PhoneObstacle("no phone has the suite \(name) of PowerAuth here")
        }
        return suite
    }

    private static func version(_ text: String) throws -> Device.Version {
        guard let version = Device.Version(rawValue: text) else {
            throw PhoneObstacle("no phone speaks protocol \(text) of PowerAuth here")
        }
        return version
    }

    private func makeDevice(
        _ application: String, _ suite: Protocol4.Algorithm?, _ scene: Scene
    ) throws -> Device {
        guard let configuration = try configuration(scene.ours(application), scene.stage) else {
            throw PhoneObstacle(
                "no application of PowerAuth in the world has the key of its app, \(application)")
        }
        let isAndroid = (scene.exchange.request.headers["User-Agent"] ?? "").contains("Android")
        return Device(
            configuration, algorithm: suite, style: isAndroid ? .android : .ios,
            clock: { [weak self] in self?.scene?.milliseconds ?? 0 },
            random: { Entropy.system.bytes($0, "compare.phone") }
        ) { [weak self] in
            guard let self else { throw DeviceError("nothing is played") }
            return try carry($0)
        }
    }

    private func configuration(_ key: String, _ stage: Stage) throws -> MobileConfiguration? {
        // Applications are made in recordings too.
        if apps?[key] == nil, askedKeys.insert(key).inserted {
            apps = PowerAuthApps(fixtures: try played { try stage.fixtures() })
        }
        return apps?[key] ?? apps?.only
    }

    /// Lets a device send the recorded request.
    func asking(_ device: Device, _ work: (Device) throws -> Void) throws -> PhonePlay {
        do {
            try work(device)
        } catch  where scene?.answer != nil && scene?.failure == nil {
            // The answer is compared, whatever the device thinks of it.
        }
        guard let answer = scene?.answer else { throw PhoneObstacle("our phone has nothing to send for it") }
        return PhonePlay(outcome: .answered(answer))
    }

    /// The same for a temporary key, whose request is signed with what the recording does not have.
    private func askingForKey(_ device: Device, _ scene: Scene, _ work: (Device) throws -> Void) throws
        -> PhonePlay
    {
        let play = try asking(device, work)
        if scene.isRefused, case .answered(let answer) = play.outcome, answer.status < 400 {
            throw PhoneObstacle("it was refused there, perhaps for its signature, which is right here")
        }
        return play
    }

    /// Takes what a device sends to the world: the recorded request in the place where it was, what it lacks otherwise as it wants it.
    private func carry(_ request: DeviceRequest) throws -> DeviceResponse {
        guard let scene else { throw DeviceError("nothing is played") }
        let isPlayed = request.path == scene.path && scene.answer == nil
        let recorded = isPlayed ? scene.request.headers : [:]
        let url = isPlayed ? scene.request.url : scene.stage.base + "/" + PowerAuthOrder.mount + request.path
        let method = isPlayed ? scene.request.method : .post
        let answer = try played {
            try scene.stage.send(method, url, Self.headers(of: request, recorded), request.body)
        }
        if isPlayed { self.scene?.answer = answer }
        return DeviceResponse(
            status: answer.status, headers: answer.headers.fields.map { ($0.name, $0.value) },
            body: answer.body)
    }

    /// Remembers what the stage throws.
    private func played<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            scene?.failure = error
            throw error
        }
    }

    /// The recorded fields, but for those that the device alone can write.
    private static func headers(of request: DeviceRequest, _ recorded: Headers) -> Headers {
        var headers = recorded
        for (name, value) in request.headers
        where headers[name] == nil || ProofFields.names.contains(name) {
            headers[name] = ProofFields.laidOut(value, like: recorded[name])
        }
        return headers
    }
}
