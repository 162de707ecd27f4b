import HTTP

/// A fault that is often wanted: one button on the page of faults, and one in the search.
struct FaultPreset {
    let title: String
    let about: String
    /// What the form that adds a fault would send.
    let form: [(name: String, value: String)]

    private init(_ title: String, _ about: String, _ form: KeyValuePairs<String, String>) {
        (self.title, self.about) = (title, about)
        self.form = [("action", "add")] + form.map { ($0, $1) }
    }

    static let all = [
        FaultPreset(
            "Fail the next token call", "503, once",
            ["effect": "answer", "value": "503", "path": "/*/token", "to": "1"]),
        FaultPreset("Fail the next request", "500, once", ["effect": "answer", "value": "500", "to": "1"]),
        FaultPreset("Slow down all answers", "2 s each", ["effect": "delay", "value": "2s"]),
        FaultPreset(
            "Expire the next token", "once",
            ["effect": "token", "value": "expired", "to": "1"]),
    ]

    /// A form of one button.
    func html(at base: String) -> HTML {
        let fields = form.dropFirst().map {
            "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML
        }
        return """
            <form action="\(base)/faults" method="post">\(Array(fields))\
            <button name="action" value="add">\(title) <span class="about">\(about)</span></button></form>
            """
    }
}
