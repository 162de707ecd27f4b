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
        let project = try taken.identity.flatMap { identity in try projects.find(identity.projectID) }
        var verdict = try proofs.verdict(on: pass, v, of: taken.identity, project)
        verdict.wid = try input.optionalText("WID").flatMap { $0 == "0" ? nil : $0 }
        if try input.flag("OTP") { verdict.otp = world.digits(for: "otp") }
        let kept = verdict
        try world.change { turn in try turn.insert(kept) }
        var answer: [String: JSONValue] = [
            "authOTT": .string(verdict.authOTT), "pass": 2, "version": "0.4",
        ]
        answer["OTP"] = verdict.otp.map(JSONValue.string)
        return .answer(answer)
    }
}
