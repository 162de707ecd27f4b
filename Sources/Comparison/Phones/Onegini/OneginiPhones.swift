import Crypto
import DeviceKit
import Essentials
import HTTP
import JOSE
import OneginiDevice
import PlatformKit

/// Apps with Onegini's SDK in a world: they respond to its challenges by the signatures of its applications, enrol with keys of ours, and
/// answer what the world asks them as the recorded ones did.
///
/// A class, as the phones of other platforms are.
final class OneginiPhones: RecordedPhones {
    private static let older =
        "it answers a request of mobile authentication that the recording does not show from its beginning"
    /// A key of RSA takes a fifth of a second to make, and a recording comes from anywhere.
    private static let mostKeys = 20
    /// Minutes by which a recorded clock may have been off.
    private static let mostMinutes = 30

    private let plan: OneginiPlan
    /// By the recorded identifiers.
    private var challenges: [String: Challenge] = [:]
    /// Profiles by enrolments.
    private var enrollments: [String: String] = [:]
    /// The rest by the recorded ids of profiles and transactions.
    private var enrolled: [String: Key] = [:]
    private var serverKeys: [String: String] = [:]
    private var refreshTokens: [String: String] = [:]
    private var questions: [String: (profile: String, asked: JSONValue)] = [:]
    private var madeKeys = 0

    private struct Challenge {
        let recorded: String
        let ours: String
        let application: String
        let platform: String
        let version: String
    }

    private enum Key {
        case openPGP(MobileKey)
        /// What the app reads is plain, and what it answers is signed alone.
        case bare(PrivateKey)

        func question(_ message: String) throws -> JSONValue {
            switch self {
            case .openPGP(let key): try key.question(message)
            case .bare: try JSONValue(parsing: Base64.decode(message) ?? [])
            }
        }
    }

    init(_ plan: OneginiPlan) { self.plan = plan }

    func play(
        _ exchange: Exchange, _ place: Bases.Place, _ request: inout PlayedRequest, _ known: Substitution,
        now: Date, on stage: Stage
    ) throws -> PhonePlay? {
        guard place.mount == OneginiPlan.mount, let order = OneginiOrder(exchange, place.path) else {
            return nil
        }
        do {
            switch order {
            case .registration(let identifier, let response):
                // Not by the phone's own words: what a stage throws is no obstacle.
                let fixtures = SpelledJSON(try stage.fixtures())
                try respond(identifier, response, exchange, &request, now, fixtures)
            case .key(let enrollment, let profile, let isOpenPGP):
                // A key that was refused can be read, and is refused here as well.
                guard exchange.response.status < 400 else { break }
                guard let profile = profile ?? enrollment.flatMap({ enrollments[$0] }) else {
                    throw PhoneObstacle("it is of an enrolment whose beginning is not in the recording")
                }
                try enrol(profile, isOpenPGP: isOpenPGP, &request, now)
            case .answer(let transaction): try answer(transaction, exchange, &request, now)
            }
            return PhonePlay(outcome: .signed)
        } catch let obstacle as PhoneObstacle {
            return PhonePlay(outcome: .impossible(obstacle.reason))
        } catch let error as DeviceError {
            return PhonePlay(outcome: .impossible(error.reason))
        } catch let error as CryptoError {
            return PhonePlay(outcome: .impossible("our phone could not make it: \(error)"))
        }
    }

    // Registration.

    private func respond(
        _ identifier: String, _ recorded: String, _ exchange: Exchange, _ request: inout PlayedRequest,
        _ now: Date, _ fixtures: SpelledJSON?
    ) throws {
        guard let challenge = challenges[identifier] else {
            throw PhoneObstacle("it responds to a challenge that is not in the recording, or was not played")
        }
        let signatures = Self.signatures(of: challenge, fixtures)
        func response(_ signature: String, _ challenge: String, _ time: Date, _ minutes: Int) throws -> String
        {
            try OneginiDevice.response(
                signature: signature, challenge: challenge, seconds: time.unixSeconds + minutes * 60)
        }
        for minutes in 0...Self.mostMinutes {
            for minutes in [minutes, -minutes] {
                for signature in signatures {
                    let there = try response(
                        signature, challenge.recorded, exchange.startedAt, minutes)
                    guard there == recorded else { continue }
                    let ours = try response(signature, challenge.ours, now, minutes)
                    return request.replace(member: "ocra_response", .string(ours))
                }
            }
        }
        // By the signature of the tenant's app, or by none.
        guard exchange.response.status < 400 else { return }
        guard let signature = signatures.first else {
            throw PhoneObstacle("no application in the world has a signature for the version of its app")
        }
        request.replace(member: "ocra_response", .string(try response(signature, challenge.ours, now, 0)))
    }

    private static func signatures(of challenge: Challenge, _ fixtures: SpelledJSON?) -> [String] {
        let applications = fixtures?["onegini"]?["applications"]?.array ?? []
        return applications.filter { $0["identifier"]?.string == challenge.application }.flatMap { found in
            (found["versions"]?.array ?? []).filter {
                $0["platform"]?.string == challenge.platform
                    && $0["version_name"]?.string == challenge.version
            }
        }.flatMap { ($0["application_signatures"]?.array ?? []).compactMap(\.string) }
    }

    // Keys.

    private func enrol(
        _ profile: String, isOpenPGP: Bool, _ request: inout PlayedRequest, _ now: Date
    ) throws {
        guard madeKeys < Self.mostKeys else {
            throw PhoneObstacle("more than \(Self.mostKeys) keys are not made for one recording")
        }
        madeKeys += 1
        if isOpenPGP {
            let key = try MobileKey(at: now.unixSeconds)
            enrolled[profile] = .openPGP(key)
            request.replace(member: "public_key", .string(try key.certificate()))
        } else {
            let key = try PrivateKey.generate(.ec(.p256))
            enrolled[profile] = .bare(key)
            let text = try JSONEncoder().encode(JWK(.publicKey(key.publicKey)))
            if let jwk = SpelledJSON(Array(text)) { request.replace(member: "jwk", jwk) }
        }
    }

    // Answers.

    private func answer(
        _ transaction: String, _ exchange: Exchange, _ request: inout PlayedRequest, _ now: Date
    ) throws {
        let told = SpelledJSON(exchange.response.body)
        guard told?["error"]?.string != "invalid_answer" else {
            throw PhoneObstacle("it was refused there for what it said, which is encrypted")
        }
        guard let (profile, question) = questions[transaction], let key = enrolled[profile] else {
            throw PhoneObstacle(Self.older)
        }
        let isConfirmed = told?["result"]?.string != "deny"
        var members: [String: JSONValue] = [
            "v": 1, "result": .string(isConfirmed ? "confirm" : "deny"),
            "timestamp": .integer(now.unixMilliseconds),
        ]
        members["transaction_id"] = question["transaction_id"]
        members["challenge"] = question["challenge"]
        if isConfirmed, question["method"]?.string == "PUSH_WITH_PIN" {
            let isWrong = told?["error"]?.string == "invalid_pin"
            guard let token = isWrong ? Self.wrongToken : refreshTokens[profile] else {
                throw PhoneObstacle("it needs a refresh token that the recording does not show")
            }
            members["refresh_token"] = .string(token)
        }
        if isConfirmed, let data = question["signing_data"]?.string {
            let isWrong = plan.wrongSignatures.contains(transaction)
            members["signature"] = .string(try Self.signature(of: isWrong ? data + "?" : data, by: key))
        }
        let message = try message(.object(members), by: key, of: profile, now)
        request.replace(member: "message", .string(message))
    }

    /// What a wrong PIN shows.
    private static let wrongToken: String? = String(repeating: "0123456789ABCDEF", count: 4)

    private static func signature(of data: String, by key: Key) throws -> String {
        switch key {
        case .openPGP(let key): try key.signature(of: data)
        case .bare(let key): Base64.encode(try key.sign(Array(data.utf8), with: .es256))
        }
    }

    private func message(
        _ answer: JSONValue, by key: Key, of profile: String, _ now: Date
    ) throws -> String {
        switch key {
        case .openPGP(let key):
            guard let serverKey = serverKeys[profile] else { throw PhoneObstacle(Self.older) }
            return try key.message(answer, to: serverKey, at: now.unixSeconds) {
                Entropy.system.bytes($0, "compare.onegini")
            }
        case .bare(let key):
            let input =
                Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(answer.bytes)
            return try input + "." + Base64URL.encode(key.sign(Array(input.utf8), with: .es256))
        }
    }
}

// What the server tells.

extension OneginiPhones {
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        guard place.mount == OneginiPlan.mount, exchange.response.status < 400, ours.status < 400,
            let there = SpelledJSON(exchange.response.body), let here = SpelledJSON(ours.body)
        else { return }
        let asked = SpelledJSON(exchange.request.body)
        keepTokens(there, here)
        guard let asked, place.path.hasPrefix("/sdk/v1/") else { return }
        keepChallenge(asked, there, here)
        if let id = there["enrollment_id"]?.string { enrollments[id] = asked["profile_id"]?.string }
        let named = place.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        if let key = here["server_public_key"]?.string,
            let profile = asked["profile_id"]?.string ?? enrollments[named]
        {
            serverKeys[profile] = key
        }
        keepQuestion(asked, there, here)
    }

    private func keepTokens(_ there: SpelledJSON, _ here: SpelledJSON) {
        for (there, here) in [(there, here), (there["oauth_token"], here["oauth_token"])] {
            guard let profile = there?["profile_id"]?.string, let token = here?["refresh_token"]?.string
            else { continue }
            refreshTokens[profile] = token
        }
    }

    private func keepChallenge(_ asked: SpelledJSON, _ there: SpelledJSON, _ here: SpelledJSON) {
        guard let identifier = there["identifier"]?.string, let recorded = there["challenge"]?.string,
            let ours = here["challenge"]?.string
        else { return }
        challenges[identifier] = Challenge(
            recorded: recorded, ours: ours, application: asked["app_identifier"]?.string ?? "",
            platform: asked["app_platform"]?.string ?? "", version: asked["app_version"]?.string ?? "")
    }

    /// What cannot be read is answered by nobody.
    private func keepQuestion(_ asked: SpelledJSON, _ there: SpelledJSON, _ here: SpelledJSON) {
        guard let transaction = there["transaction_id"]?.string, let message = here["message"]?.string,
            let profile = asked["profile_id"]?.string,
            let question = try? enrolled[profile]?.question(message)
        else { return }
        questions[transaction] = (profile, question)
    }
}
