import HTTP
import HTTPClient

// Phones, what one holds, and what waits on it, as tables.
extension PhoneCommand.Caller {
    func pending() throws {
        let wait = try invocation.seconds(.phoneWait) ?? 0
        let response = try call(.get, path + "/pending", waiting: wait)
        if invocation.flag(.json) { return terminal.print(response.text) }
        let requests = try api.read(PhoneCommand.Requests.self, response).requests
        guard !requests.isEmpty else { return terminal.complain("no request is waiting") }
        print([["ID", "KIND", "TITLE", "WAYS"]] + requests.map(row))
    }

    func list() throws {
        let response = try call(.get, "/phones")
        if invocation.flag(.json) { return terminal.print(response.text) }
        let phones = try api.read(PhoneCommand.List.self, response).phones
        guard !phones.isEmpty else {
            return terminal.print("No phones yet. Create one: understudy phone create NAME --owner ID")
        }
        let rows = phones.map { phone in
            let apps = phone.apps.filter(\.isEnrolled).map(\.name).joined(separator: ", ")
            return [
                phone.name, phone.owner ?? "-", phone.model, phone.network, phone.policy,
                apps.isEmpty ? "-" : apps,
            ]
        }
        print([["NAME", "OWNER", "MODEL", "NETWORK", "POLICY", "ENROLLED AT"]] + rows)
    }

    func show() throws {
        let response = try call(.get, path)
        if invocation.flag(.json) { return terminal.print(response.text) }
        let phone = try api.read(PhoneCommand.Phone.self, response)
        let own = [
            ["Owner", phone.owner ?? "nobody"], ["Model", phone.model], ["Network", phone.network],
            ["Policy", words(phone)],
            [
                "SDK",
                phone.sdks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                    separator: ", "),
            ],
        ]
        print(own)
        for app in phone.apps where app.isEnrolled {
            terminal.print("")
            terminal.print(app.name)
            let actions =
                app.actions.isEmpty
                ? [] : [["  Can do", app.actions.map(\.usage).joined(separator: ", ")]]
            print(app.facts.map { ["  " + $0.name, $0.value] } + actions)
        }
        if !phone.requests.isEmpty {
            terminal.print("")
            print([["ID", "KIND", "TITLE", "WAYS"]] + phone.requests.map(row))
        }
    }

    private func row(_ request: PhoneCommand.Request) -> [String] {
        [request.id, request.kind, request.words, request.ways.joined(separator: ", ")]
    }

    private func print(_ rows: [[String]]) {
        for line in Columns.lines(rows.map { $0.map(Columns.plain) }) { terminal.print(line) }
    }
}
