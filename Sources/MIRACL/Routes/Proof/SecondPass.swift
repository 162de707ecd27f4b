import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/pass2`: the client's answer to the challenge, verified here and told to nobody yet.
    ///
    /// - Request: `{"mpin_id", "V", "WID"?, "pass": 2, "OTP"?: bool}`.
    /// - Response: `200 {"authOTT": 32 hexadecimal digits, "pass": 2, "version": "0.4"}`, for a wrong PIN as well; with `OTP` also
    ///   `"OTP"`, six digits that are good after ``authenticate(_:)``.
    /// - Errors: `403` without a first pass that waits, or with a member missing.
    /// - Source: Milagro MFA server; Milagro MFA SDK core.
    func secondPass(_ request: Request) throws -> Response {
        let input = try Members(request)
        guard let mpinID = try input.optionalText("mpin_id")?.lowercased() else {
            throw ProofRefusal.passIncomplete("mpin_id")
        }
        let v = try input.optionalText("V")
        // The first pass is used up whatever comes now.
        let taken = try world.change { turn in
            (
                pass: try turn.take(PendingPass.self, where: "mpin_id = \(mpinID)"),
                identity: try Identity.find(mpinID, in: turn.db)
            )
        }
        guard let pass = taken.pass else { throw ProofRefusal.passMissing }
        guard pass.expiresAt > now else { throw ProofRefusal.passExpired(pass.expiresAt) }
        guard let v else { throw ProofRefusal.passIncomplete("V") }
        let project = try taken.identity.flatMap { identity in try self.project(identity.projectID) }
        var verdict = try self.verdict(on: pass, v, of: taken.identity, project)
        verdict.wid = try input.optionalText("WID").flatMap { $0 == "0" ? nil : $0 }
        if try input.flag("OTP") { verdict.otp = digits(for: "otp") }
        let kept = verdict
        try world.change { turn in try turn.insert(kept) }
        var answer: [String: JSONValue] = [
            "authOTT": .string(verdict.authOTT), "pass": 2, "version": "0.4",
        ]
        answer["OTP"] = verdict.otp.map(JSONValue.string)
        return .answer(answer)
    }

    private func verdict(
        on pass: PendingPass, _ v: String, of identity: Identity?, _ project: Project?
    ) throws -> ProofVerdict {
        var verdict = ProofVerdict(
            authOTT: token(for: "auth_ott"), mpinID: pass.mpinID, isRight: false, scope: pass.scope,
            clientID: pass.clientID, expiresAt: time(in: project?.proofSeconds ?? 60))
        guard let identity, let project else { return verdict }
        let point: G1Point
        do {
            point = try G1Point(hex: v)
        } catch {
            verdict.fault =
                "V of the second pass is no point, which counts as a wrong PIN: \(error.explanation)"
            return verdict
        }
        let trial = ProofTrial(
            platform: self, identity: identity, project: project,
            commitment: try pass.commitment(day: now.day), challenge: try Scalar(hex: pass.y), v: point)
        verdict.proven = try trial.proven()
        verdict.isRight = verdict.proven != nil
        if !verdict.isRight { verdict.fault = try trial.fault() }
        return verdict
    }
}

extension PendingPass {
    /// - Parameter day: of the time permit, if one is used.
    fileprivate func commitment(day: UInt32) throws -> Commitment {
        Commitment(
            u: try G1Point(hex: u),
            permitted: try ut.map { Commitment.Permitted(ut: try G1Point(hex: $0), day: day) })
    }
}

extension Date {
    /// Days since 1970-01-01 UTC.
    var day: UInt32 { UInt32(exactly: (timeIntervalSince1970 / 86_400).rounded(.down)) ?? 0 }
}
