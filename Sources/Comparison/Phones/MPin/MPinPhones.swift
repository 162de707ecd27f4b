import DeviceKit
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit

/// Clients of M-Pin in a world, one for each identity that the recording shows the shares of. They prove and sign with secrets of this world, and
/// with a wrong PIN where the verdict was a refusal there.
///
/// A class, as the phones of other platforms are.
final class MPinPhones: RecordedPhones {
    private static let (pin, wrongPIN) = ("1234", "4321")
    private static let older = "it is of an identity of M-Pin whose beginning is not in the recording"

    private let plan: MPinPlan
    /// Ours, by the recorded ones.
    private var pairs: [String: MPinKeyPair] = [:]
    /// By the recorded M-Pin ids.
    private var identities: [String: Identity] = [:]
    /// The identity whose second share an address gives.
    private var addresses: [(address: String, identity: String)] = []
    private var attempts: [String: Attempt] = [:]
    /// The identity of a proof, by the recorded one-time token.
    private var proven: [String: String] = [:]
    /// Points of ours, by the recorded ones.
    private var points: [String: String] = [:]

    /// Shares of this world.
    private struct Identity {
        var dtas = ""
        var shares: [String] = []
        var key: MPinKeyPair?
        var permit: (day: UInt32, shares: [String])?
    }

    private struct Attempt {
        let attempt: MPinAttempt
        /// The number of this world's server.
        var y: String?
        let permit: [String]
    }

    init(_ plan: MPinPlan) {
        self.plan = plan
        for recorded in plan.publicKeys {
            // Without a key of ours the recorded one is sent, and what is proven with it refused.
            pairs[recorded] = try? MPinKeyPair(drawnFrom: Self.draw)
        }
    }

    var keys: [(recorded: String, ours: String)] { pairs.map { ($0.key, $0.value.publicText) } }

    private static func draw(_ count: Int) -> [UInt8] { Entropy.system.bytes(count, "compare.mpin") }

    func play(
        _ exchange: Exchange, _ place: Bases.Place, _ request: inout PlayedRequest, _ known: Substitution,
        now: Date, on stage: Stage
    ) throws -> PhonePlay? {
        guard place.mount == MPinPlan.mount, let asked = SpelledJSON(exchange.request.body) else {
            return nil
        }
        do {
            switch place.path {
            case _ where place.path.hasSuffix("/pass1"): try commit(asked, exchange, &request, known)
            case _ where place.path.hasSuffix("/pass2"): try answer(asked, exchange, &request)
            case _ where place.path.hasSuffix("/authenticate"):
                guard let token = MPinMessage.token(asked) else { return nil }
                if let number = plan.revived[token] {
                    throw PhoneObstacle(
                        "its identity was blocked there by request #\(number), and nothing in the recording unblocks it"
                    )
                }
                if plan.given.contains(token), proven[token] == nil { throw PhoneObstacle(Self.older) }
            // What is malformed can be read, and is wrong here as well.
            case "/dvs/verify" where exchange.response.status == 400: break
            default: return try sign(asked, &request, known)
            }
            return PhonePlay(outcome: .signed)
        } catch let obstacle as PhoneObstacle {
            return PhonePlay(outcome: .impossible(obstacle.reason))
        } catch let error as DeviceError {
            return PhonePlay(outcome: .impossible(error.reason))
        } catch {
            return PhonePlay(outcome: .impossible("our phone could not make it: \(error)"))
        }
    }

    /// The first pass. One that was refused said something wrong that can be read, and says it here as well.
    private func commit(
        _ asked: SpelledJSON, _ exchange: Exchange, _ request: inout PlayedRequest, _ known: Substitution
    ) throws {
        guard exchange.response.status < 400 else { return }
        guard let id = asked["mpin_id"]?.string, let token = try token(id, known) else {
            throw PhoneObstacle(Self.older)
        }
        let attempt = try MPinAttempt(token, drawnFrom: Self.draw)
        request.replace(member: "U", .string(try attempt.commitment()))
        var shares: [String] = []
        if asked["UT"]?.string?.isEmpty == false {
            guard let permit = identities[id]?.permit else {
                throw PhoneObstacle("it needs a time permit that the recording does not show")
            }
            request.replace(member: "UT", .string(try attempt.commitment(day: permit.day)))
            shares = permit.shares
        }
        attempts[id] = Attempt(attempt: attempt, permit: shares)
    }

    /// The second pass.
    private func answer(_ asked: SpelledJSON, _ exchange: Exchange, _ request: inout PlayedRequest) throws {
        guard exchange.response.status < 400 else { return }
        guard let id = asked["mpin_id"]?.string, let attempt = attempts[id], let y = attempt.y else {
            throw PhoneObstacle(Self.older)
        }
        let token = SpelledJSON(exchange.response.body)?["authOTT"]?.string
        let isWrong = token.map(plan.refused.contains) ?? false
        let point = try attempt.attempt.answer(
            y: y, pin: isWrong ? Self.wrongPIN : Self.pin, permit: attempt.permit)
        request.replace(member: "V", .string(point))
        if let token { proven[token] = id }
    }

    private func token(_ id: String, _ known: Substitution) throws -> MPinToken? {
        guard let identity = identities[id], identity.shares.count == 2 else { return nil }
        var follows: Int?
        return try MPinToken(
            mpinID: known.apply(id, follows: &follows), dtas: identity.dtas, shares: identity.shares,
            key: identity.key, pin: Self.pin)
    }
}

// Signatures.

extension MPinPhones {
    /// Signs documents anew, wherever a signature stands: in a body, or in Base64 in it.
    private func sign(
        _ asked: SpelledJSON, _ request: inout PlayedRequest, _ known: Substitution
    ) throws -> PhonePlay? {
        guard let recorded = Self.signature(in: asked), let body = SpelledJSON(request.body) else {
            return nil
        }
        guard let u = recorded.text("u"), let v = recorded.text("v") else {
            return nil
        }
        // What was changed in one that holds elsewhere is changed here as well.
        if points[u] == nil {
            let signature = plan.rightSignatures[u] ?? recorded
            let time = (signature.anyCase("timestamp") ?? asked.anyCase("timestamp"))?.value.number
            try make(signature, u, time.flatMap { UInt32(exactly: $0) }, known)
        }
        request.replace(body: Self.replacing(body, (points[u] ?? u, points[v] ?? v)))
        return PhonePlay(outcome: .signed)
    }

    /// - Parameter u: its first point.
    private func make(
        _ signature: SpelledJSON, _ u: String, _ timestamp: UInt32?, _ known: Substitution
    ) throws {
        guard let id = signature.text("mpinId"), let timestamp,
            let v = signature.text("v"), let hash = signature.text("hash")
        else { return }
        guard let token = try token(id, known) else { throw PhoneObstacle(Self.older) }
        let isRight = plan.rightSignatures[u] != nil || !plan.wrongSignatures.contains(u)
        var follows: Int?
        let ours = try token.signature(
            of: known.apply(hash, follows: &follows), timestamp: timestamp,
            pin: isRight ? Self.pin : Self.wrongPIN, drawnFrom: Self.draw)
        points[u] = ours.u
        // The other point may be that of one that holds.
        if isRight || !plan.rightSignatures.values.contains(where: { $0.text("v") == v }) {
            points[v] = ours.v
        }
    }

    private static func signature(in asked: SpelledJSON) -> SpelledJSON? {
        (asked.members ?? []).lazy.compactMap { member -> SpelledJSON? in
            let inner = member.value.string.flatMap(PackedText.unpacked).flatMap {
                SpelledJSON(Array($0.text.utf8))
            }
            return [member.value, inner].compactMap { $0 }.first(where: MPinMessage.isSignature)
        }.first
    }

    private static func replacing(_ body: SpelledJSON, _ ours: (u: String, v: String)) -> SpelledJSON {
        func signed(_ json: SpelledJSON) -> SpelledJSON {
            json.with(json.anyCase("u")?.name ?? "u", .string(ours.u))
                .with(json.anyCase("v")?.name ?? "v", .string(ours.v))
        }
        return .object(
            (body.members ?? []).map { member in
                var member = member
                if MPinMessage.isSignature(member.value) {
                    member.value = signed(member.value)
                } else if let packed = member.value.string.flatMap(PackedText.unpacked),
                    let inner = SpelledJSON(Array(packed.text.utf8)), MPinMessage.isSignature(inner)
                {
                    member.value = .string(packed.packed(signed(inner).text))
                }
                return member
            })
    }
}

// What the servers tell.

extension MPinPhones {
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        guard place.mount == MPinPlan.mount, exchange.response.status < 400, ours.status < 400 else { return }
        guard let there = SpelledJSON(exchange.response.body), let here = SpelledJSON(ours.body) else {
            return keepPermit(String(decoding: ours.body, as: UTF8.self), exchange)
        }
        let asked = SpelledJSON(exchange.request.body)
        if let id = asked?["mpin_id"]?.string, let y = here["y"]?.string { attempts[id]?.y = y }
        let key = MPinMessage.publicKey(asked, place).flatMap { pairs[$0] }
        let named = String(place.path.split(separator: "/").last ?? "")
        let prover = MPinMessage.token(asked).flatMap { proven[$0] }
        for (there, here) in [(there, here), (there["renewSecret"], here["renewSecret"])] {
            guard let there, let here else { continue }
            let id = there["mpinId"]?.string ?? there["mpin_id"]?.string ?? prover ?? named
            keepShares(there, here, of: id, key)
        }
        keepSecond(there, here, exchange)
        keepPermit(there, here, of: named, exchange)
    }

    private func keepShares(_ there: SpelledJSON, _ here: SpelledJSON, of id: String, _ key: MPinKeyPair?) {
        let first = here["clientSecretShare"]?.string ?? here["dvsClientSecretShare"]?.string
        let secrets = there["secretUrls"]?.array?.compactMap(\.string) ?? []
        guard first != nil || !secrets.isEmpty else { return }
        identities[id] = Identity(
            dtas: here["dtas"]?.string ?? "", shares: first.map { [$0] } ?? [], key: key,
            permit: identities[id]?.permit)
        addresses += (secrets + [there["cs2url"], there["params"]].compactMap { $0?.string }).map { ($0, id) }
    }

    private func keepSecond(_ there: SpelledJSON, _ here: SpelledJSON, _ exchange: Exchange) {
        guard let share = here["clientSecret"]?.string ?? here["dvsClientSecret"]?.string,
            let id = addresses.last(where: { exchange.request.url.contains($0.address) })?.identity
        else { return }
        identities[id]?.shares.append(share)
    }

    /// The classic SDK's permit of the day, of which the first share says where the second is.
    private func keepPermit(
        _ there: SpelledJSON, _ here: SpelledJSON, of id: String, _ exchange: Exchange
    ) {
        guard let share = here["timePermit"]?.string else { return }
        guard let day = here["date"]?.number.flatMap({ UInt32(exactly: $0) }) else {
            return keepPermit(share, exchange)
        }
        identities[id]?.permit = (day, [share])
        if let storage = there["storageId"]?.string { addresses.append((storage, id)) }
    }

    private func keepPermit(_ share: String, _ exchange: Exchange) {
        guard let id = addresses.last(where: { exchange.request.url.contains($0.address) })?.identity,
            identities[id]?.permit?.shares.count == 1
        else { return }
        identities[id]?.permit?.shares.append(share)
    }
}
