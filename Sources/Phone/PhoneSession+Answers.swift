import Essentials
import PlatformKit

extension PhoneSession {
    /// - Parameters:
    ///   - id: nil for the first that waits.
    ///   - seconds: by which the answer is late, by the clock of the world; then it is only planned here.
    /// - Returns: nil when nothing waits and no id was named.
    package func answer(_ id: String?, _ answer: PhoneAnswer, after seconds: Int = 0) throws -> PhoneReport? {
        // What is on the screen is answered as it is; a code that was read needs no network.
        let isShown = try meant(by: answer).flatMap(\.requests).contains { request in
            id.map { $0 == request.id } ?? (request.kind == "offline")
        }
        if !isShown { _ = try pending() }
        guard let wanted = try id ?? meant(by: answer).flatMap(\.requests).last?.id else { return nil }
        let app = try app(for: wanted, answer)
        if seconds > 0 { return try told("phone answers later", plan(wanted, answer.by(app.name), seconds)) }
        return try told("phone answered", app.answer(wanted, answer))
    }

    /// The apps that an answer can be for.
    private func meant(by answer: PhoneAnswer) throws -> [any PhoneApp] {
        let platform = try answer.platform.map { try Self.type(of: $0).platform }
        return apps.filter { app in
            (platform ?? app.name.platform, answer.account ?? app.name.account)
                == (app.name.platform, app.name.account)
        }
    }

    /// The app that shows the request, or one that was never asked about it.
    private func app(for id: String, _ answer: PhoneAnswer) throws -> any PhoneApp {
        let (meant, isUnasked) = (try meant(by: answer), answer.fault == .unasked)
        let asked = meant.first { $0.requests.contains { $0.id == id } }
        if isUnasked, asked != nil { throw PhoneRefusal.asked(id, phone) }
        let unasked = meant.first { isUnasked && Swift.type(of: $0).faults.contains(.unasked) }
        guard let app = asked ?? unasked else { throw PhoneRefusal.requestUnknown(id, phone) }
        let type = Swift.type(of: app)
        if let fault = answer.fault, !type.faults.contains(fault) {
            throw PhoneRefusal.faultUnknown(fault, type.title, known: type.faults)
        }
        return app
    }

    func plan(
        _ id: String, _ answer: PhoneAnswer, _ seconds: Int, since moment: Date? = nil,
        isByPolicy: Bool = false
    ) throws -> PhoneReport {
        let due = (moment ?? phones.world.clock.now).addingTimeInterval(Double(seconds))
        try phones.plan(
            PhonePlan(
                phone: phone.name, account: answer.account ?? "", request: id, dueAt: due, answer: answer,
                isByPolicy: isByPolicy),
            of: phone)
        hasPlanned = true
        return PhoneReport(
            "scheduled", id,
            "the request \(id) will be answered at \(Timestamp.text(due)) by the clock of the world.")
    }
}
