import HTTP
import Phone
import PlatformKit

/// What a form of a phone's page asks for.
struct PhoneOrder {
    private let form: Form
    let inputs: [String: String]
    let screen: PhoneScreen
    let platform: String?

    init(_ form: Form) {
        self.form = form
        inputs = RecordForm.values(form)
        screen = PhoneScreen(form)
        platform = form["platform"]
    }

    var action: String { form["action"] ?? "" }
    var isSure: Bool { form["sure"] == "yes" }
    var verb: String { form["verb"] ?? "" }

    /// A form about an app names it, empty for the first account; that of a new account has a field for it.
    private var named: String? { form["account"] ?? typed("account") }
    /// Nil for the first.
    var account: String? { named.flatMap { $0.isEmpty ? nil : $0 } }

    private func typed(_ name: String) -> String? { inputs[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The screen that follows. What was scanned shows on the home screen, and so does what an action of no return leaves.
    var next: PhoneScreen {
        if screen == .scan || action == "do" && isSure { return .home }
        if action == "enrol", case .app(let platform, _) = screen {
            return PhoneScreen(app: platform, account: account)
        }
        return screen
    }

    /// What the phone does; nil for a button that there is not.
    var work: (@Sendable (PhoneSession) throws -> PhoneReport?)? {
        switch action {
        case let action where Self.answers[action] != nil: return answer
        case "scan":
            var input = TypedIn()
            (input.pin, input.otp, input.puk) = (typed("pin"), typed("otp"), typed("puk"))
            return { [input, text = inputs["text"] ?? "", named] in try $0.scan(text, input, as: named) }
        case "enrol":
            var input = TypedIn()
            (input.provider, input.user) = (typed("provider"), typed("user"))
            return { [input, platform, named] in try $0.enrol(platform, input, as: named) }
        case "do":
            return { [verb, inputs, platform, named] in
                try $0.perform(verb, inputs, at: platform, as: named)
            }
        case "refresh":
            return { session in
                _ = try session.pending()
                return nil
            }
        default: return nil
        }
    }

    private var answer: @Sendable (PhoneSession) throws -> PhoneReport? {
        let (verdict, way) = Self.answers[action] ?? (.approve, nil)
        let answer = PhoneAnswer(
            verdict, by: way, pin: action == "approve" ? typed("pin") : nil,
            fault: typed("fault").flatMap(PhoneAnswer.Fault.init(rawValue:)), at: platform, as: named)
        let delay = min(max(typed("after").flatMap { Int($0) } ?? 0, 0), PhonePlan.delays.upperBound)
        return { [id = form["id"]] in try $0.answer(id, answer, after: delay) }
    }

    /// What the buttons of a request say.
    private static let answers: [String: (PhoneAnswer.Verdict, PhoneAnswer.Way?)] = [
        "approve": (.approve, .pin), "biometry": (.approve, .biometry), "possession": (.approve, .possession),
        "wrong-pin": (.approve, .wrongPIN), "decline": (.decline, nil),
    ]
}

// Asked back where no script did.
extension PhoneOrder {
    func question(_ phone: Phone, base: String) -> Question {
        Question(
            title: "Delete phone",
            sentence:
                "The phone \(phone.name), its apps and their keys will be lost. The platforms are not told.",
            path: base + "/phones/" + phone.name, form: form,
            back: base + "/phones/" + phone.name + screen.path, tab: .phones)
    }

    func question(_ action: ConsoleRecord.Action, _ phone: String, base: String) -> Question {
        Question(
            title: action.title,
            sentence: "On the phone \(phone), in the app of \(platform ?? ""). This cannot be undone.",
            path: base + "/phones/" + phone, form: form, back: base + "/phones/" + phone + screen.path,
            tab: .phones)
    }
}
