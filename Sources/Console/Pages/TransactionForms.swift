import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /transactions/ID`: one transaction, with all that is known of it and all that can be done to it.
    func transaction(_ world: World, _ request: Request) throws -> Page {
        try transaction(world, request, refusal: nil)
    }

    /// `POST /transactions/ID` with `action=…`, as a button of the page sends it: does the action. With `phone=NAME`, that phone answers,
    /// `approve` or `decline`.
    ///
    /// - Response: `303` to the transaction; its page with the reason when the platform refuses.
    func decide(_ world: World, _ request: Request) throws -> Response {
        let (form, id) = (request.form, request.parameter("id"))
        if let phone = form["phone"] { return try answer(on: phone, world, request) }
        do {
            _ = try perform(form["action"] ?? "", on: id, in: world)
        } catch let refusal as TransactionRefusal {
            return try refused(refusal.explanation, world, request)
        } catch ControlError.refused(let sentence) {
            return try refused(sentence, world, request)
        } catch ControlError.absent(let sentence) {
            throw PageMissing(sentence: sentence, tab: .waiting)
        }
        return Self.seeOther(request.mount + TransactionLine.path(id))
    }

    private func answer(on phone: String, _ world: World, _ request: Request) throws -> Response {
        let (form, id) = (request.form, request.parameter("id"))
        let answer = PhoneAnswer(
            form["action"] == "decline" ? .decline : .approve, at: form["platform"], as: form["account"])
        do {
            return try phones.answer(by: phone, in: world, at: request.ownURL) {
                try $0.answer(id, answer)
            } with: { outcome in
                do {
                    _ = try outcome.get()
                } catch let refusal as PhoneRefusal {
                    return try refused(refusal.sentence, world, request)
                }
                return Self.seeOther(request.mount + TransactionLine.path(id))
            }
        } catch let refusal as PhoneRefusal where refusal.kind == .absent {
            throw PageMissing(sentence: refusal.explanation, tab: .waiting)
        }
    }

    private func refused(_ sentence: String, _ world: World, _ request: Request) throws -> Response {
        var page = try transaction(world, request, refusal: sentence)
        page.status = .conflict
        return render(page, request, in: world)
    }

    private func transaction(_ world: World, _ request: Request, refusal: String?) throws -> Page {
        let id = request.parameter("id")
        guard let (transaction, type) = try watch(world).find(id) else {
            throw PageMissing(sentence: noTransaction(id, in: world).detail, tab: .waiting)
        }
        var page = TransactionPage(
            base: request.mount, now: world.clock.now, transaction: transaction, platform: type.title,
            mount: info.mount(of: type.name))
        (page.phones, page.refusal) = (try phoneNames(world), refusal)
        page.asked = try askedPhones(of: transaction, world)
        return Page(
            title: TransactionLine.title(transaction), tab: .waiting, hasForms: true, main: page.html)
    }
}
