import Crypto
import DeviceKit
import Essentials
import HTTP
import NextAuthDevice
import PlatformKit

/// Installations of an app with nextAuth in a world. What a recorded one signed is told by the public keys that it registered, and signed again
/// by keys of ours over the challenges of this world; what nobody's key made there stays wrong.
///
/// A class, as the phones of other platforms are.
final class NextAuthPhones: RecordedPhones {
    private static let older =
        "it is signed by a key of nextAuth that the recording does not show"
    private static let depthLimit = 6
    // A signature is tried by each key and each account, and a recording comes from anywhere.
    private static let (mostAccounts, mostMisses) = (20, 100)

    private let plan: NextAuthPlan
    /// Signatures that none of the keys made.
    private var misses = 0
    /// Ours, by the recorded public keys.
    private var pairs: [String: AccountKey] = [:]
    /// What the server wants signed, by the recorded id of a flow or an installation.
    private var challenges: [String: Challenge] = [:]
    /// Recorded ids of installations, by the tokens of their requests.
    private var instances: [String: String] = [:]
    /// Ids of accounts there and here.
    private var accounts: [String: String] = [:]

    private struct Challenge {
        var type = ""
        var recorded = ""
        var ours = ""
        let ourID: String
    }

    init(_ plan: NextAuthPlan) {
        self.plan = plan
        for (text, _) in plan.publicKeys {
            // Without a key of ours the recorded one is sent, and what is signed with it refused.
            pairs[text] = try? AccountKey { Entropy.system.bytes($0, "compare.nextauth") }
        }
    }

    var keys: [(recorded: String, ours: String)] { pairs.map { ($0.key, $0.value.publicText) } }

    func play(
        _ exchange: Exchange, _ place: Bases.Place, _ request: inout PlayedRequest, _ known: Substitution,
        now: Date, on stage: Stage
    ) throws -> PhonePlay? {
        guard place.mount == NextAuthPlan.mount, let asked = SpelledJSON(exchange.request.body),
            let signed = signed(in: exchange.request, asked, place)
        else { return nil }
        if let account = asked["accountid"], case .number(let id) = account, let ours = accounts[id] {
            request.replace(member: "accountid", .number(ours))
        }
        do {
            for name in ["signature", "biometricsignature"] {
                guard let recorded = asked[name]?.string else { continue }
                if let ours = try signature(recorded, over: signed, asked) {
                    request.replace(member: name, .string(ours))
                } else if exchange.response.status < 400 {
                    throw PhoneObstacle(Self.older)
                }
            }
            for name in ["pinproof", "oldproof"] {
                guard let recorded = asked[name]?.string else { continue }
                guard !plan.pinKeys.isEmpty else { throw PhoneObstacle(Self.older) }
                if let ours = proof(recorded, over: signed) { request.replace(member: name, .string(ours)) }
            }
            return PhonePlay(outcome: .signed)
        } catch let obstacle as PhoneObstacle {
            return PhonePlay(outcome: .impossible(obstacle.reason))
        }
    }

    /// What a request is over; nil for one that proves nothing, or to which this world asked for nothing.
    private func signed(
        in request: RecordedRequest, _ asked: SpelledJSON, _ place: Bases.Place
    ) -> (id: String, Challenge)? {
        let names = ["signature", "biometricsignature", "pinproof", "oldproof"]
        guard names.contains(where: { asked[$0]?.string != nil }) else { return nil }
        let segments = place.path.split(separator: "/").map(String.init)
        if let index = segments.firstIndex(of: "flows"), index + 1 < segments.count {
            let id = segments[index + 1]
            return challenges[id].map { (id, $0) }
        }
        guard let id = instances[request.headers["Authorization"] ?? ""], var challenge = challenges[id]
        else {
            return nil
        }
        challenge.type = segments.contains("accounts") ? "DELETE_ACCOUNT" : "CHANGE_PIN"
        return (id, challenge)
    }

    /// Ours in the place of a recorded one; nil where none of the recorded keys made that.
    private func signature(
        _ recorded: String, over signed: (id: String, challenge: Challenge), _ asked: SpelledJSON
    ) throws -> String? {
        guard let bytes = Base64URL.decode(recorded), misses < Self.mostMisses else { return nil }
        // What is in no form of a signature was made by no key.
        let isRaw = bytes.count == 64
        guard let raw = isRaw ? bytes : try? ECSignature.raw(fromDER: bytes, .p256) else { return nil }
        let named = asked["accountid"].map { [$0.text] } ?? accounts.keys.sorted()
        let subjects = [""] + named.prefix(Self.mostAccounts) + plan.publicKeys.map(\.text)
        for (text, key) in plan.publicKeys {
            for subject in subjects {
                for approves in [nil, true, false] {
                    let there = DeviceText(
                        id: signed.id, type: signed.challenge.type, challenge: signed.challenge.recorded,
                        subject: subject, approves: approves)
                    guard key.isValid(raw, for: Array(there.text.utf8), with: .es256) else { continue }
                    let here = DeviceText(
                        id: signed.challenge.ourID, type: signed.challenge.type,
                        challenge: signed.challenge.ours,
                        subject: accounts[subject] ?? pairs[subject]?.publicText ?? subject,
                        approves: approves)
                    // A key that could not be made signs nothing.
                    return try? pairs[text]?.sign(here.text, isRaw: isRaw)
                }
            }
        }
        misses += 1
        return nil
    }

    /// The same of a PIN: a wrong one is of no key, and stays so.
    private func proof(_ recorded: String, over signed: (id: String, challenge: Challenge)) -> String? {
        guard let there = Base64URL.decode(signed.challenge.recorded),
            let here = Base64URL.decode(signed.challenge.ours), let proof = Base64URL.decode(recorded)
        else { return nil }
        return plan.pinKeys.first { Digest.sha256.authenticationCode(of: there, key: $0) == proof }.map {
            Base64URL.encode(Digest.sha256.authenticationCode(of: here, key: $0))
        }
    }
}

// What the server tells.

extension NextAuthPhones {
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        guard place.mount == NextAuthPlan.mount, place.path.hasPrefix("/device/"),
            let there = SpelledJSON(exchange.response.body),
            let here = SpelledJSON(ours.body)
        else { return }
        if let id = there["instanceid"]?.string, let ourID = here["instanceid"]?.string {
            challenges[id] = Challenge(ourID: ourID)
            if let token = there["token"]?.string { instances["Device " + token] = id }
        }
        if there["flowid"] == nil, let id = instances[exchange.request.headers["Authorization"] ?? ""] {
            keepChallenge(there, here, of: id)
        }
        collect(there, here, depth: 0)
    }

    private func keepChallenge(_ there: SpelledJSON, _ here: SpelledJSON, of id: String) {
        guard let recorded = there["challenge"]?.string, let ours = here["challenge"]?.string else { return }
        challenges[id]?.recorded = recorded
        challenges[id]?.ours = ours
        if let type = there["type"]?.string { challenges[id]?.type = type }
    }

    /// Flows and accounts, wherever they stand.
    private func collect(_ there: SpelledJSON, _ here: SpelledJSON, depth: Int) {
        guard depth < Self.depthLimit else { return }
        if let id = there["flowid"]?.string, let ourID = here["flowid"]?.string {
            if challenges[id] == nil { challenges[id] = Challenge(ourID: ourID) }
            keepChallenge(there, here, of: id)
        }
        if case .number(let id) = there["accountid"], case .number(let ours) = here["accountid"] {
            accounts[id] = ours
        }
        for member in there.members ?? [] {
            if let ours = here[member.name] { collect(member.value, ours, depth: depth + 1) }
        }
        for (one, other) in zip(there.array ?? [], here.array ?? []) { collect(one, other, depth: depth + 1) }
    }
}
