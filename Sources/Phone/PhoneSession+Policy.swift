import Essentials
import PlatformKit

extension PhoneSession {
    /// Looks what there is, and does what the policies say. Their delays begin at `moment`, or else now.
    func followPolicy(since moment: Date? = nil) throws {
        if PhoneCenter.apps.allSatisfy({ phone.ignores($0.platform) }) { return }
        try refresh { !phone.ignores($0) }
        follow(requests, since: moment)
    }

    /// Does what was planned; of what a policy wanted, somebody may have been faster.
    func keep(_ plan: PhonePlan) throws {
        if plan.isByPolicy, try !pending().contains(where: plan.isOf) { return }
        do {
            _ = try answer(plan.request, plan.answer)
        } catch let refusal as PhoneRefusal where refusal.kind == .absent {
            note("phone failed", "Phone “\(phone.name)”, as planned: \(refusal.sentence)")
        }
    }

    func refresh(_ isMeant: (_ platform: String) -> Bool) throws {
        try beginUse()
        let meant = apps.filter {
            ($0.isEnrolled || $0.isWaiting) && isMeant(Swift.type(of: $0).platform)
        }
        try forAll(meant) { try $0.refresh() }
    }

    func follow(_ requests: [PhoneRequest], since moment: Date? = nil) {
        for request in requests {
            do {
                try obey(phone.policy(for: request.platform, request.kind), request, since: moment)
            } catch {
                let why = (error as? PhoneRefusal)?.sentence ?? "This is a bug of Understudy: \(error)."
                note("phone failed", "Phone “\(phone.name)”, as its policy says: \(why)")
            }
        }
    }

    private func obey(_ policy: PhonePolicy, _ request: PhoneRequest, since moment: Date?) throws {
        let (id, name) = (request.id, request.name)
        func answer(_ verdict: PhoneAnswer.Verdict) -> PhoneAnswer { PhoneAnswer(verdict).by(name) }
        switch policy {
        case .manual, .ignore: return
        case .approve: _ = try self.answer(id, answer(.approve))
        case .decline: _ = try self.answer(id, answer(.decline))
        case .wrongPIN(let times): try insist(id, name, times)
        case .approveAfter(let seconds):
            _ = try plan(id, answer(.approve), seconds, since: moment, isByPolicy: true)
        case .declineAfter(let seconds):
            _ = try plan(id, answer(.decline), seconds, since: moment, isByPolicy: true)
        }
    }

    /// Wrong PINs, whose refusals are wanted, and then the right one.
    private func insist(_ id: String, _ name: AppName, _ times: Int) throws {
        for _ in 0..<times {
            do {
                _ = try answer(id, PhoneAnswer(.approve, by: .wrongPIN).by(name))
            } catch let refusal as PhoneRefusal where refusal.kind == .refused {
                note("phone refused", "Phone “\(phone.name)”, as its policy says: \(refusal.sentence)")
            }
        }
        _ = try answer(id, PhoneAnswer(.approve, by: .pin).by(name))
    }
}

extension PhoneRequest {
    /// Of the app that was asked.
    fileprivate var name: AppName { AppName(platform, account ?? "") }
}

extension PhonePlan {
    fileprivate func isOf(_ request: PhoneRequest) -> Bool {
        request.id == self.request && (request.account ?? "") == account
    }
}
