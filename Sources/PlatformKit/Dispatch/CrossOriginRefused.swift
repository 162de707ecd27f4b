/// A web page of another site would have changed something.
struct CrossOriginRefused: Refusal, Equatable {
    /// As the browser names it.
    let origin: String
    /// The origin of our own pages.
    let own: String
    /// What the platform's rules allow.
    let allowed: [String]
    /// A sentence.
    var remedy: String?

    var explanation: String {
        let others = allowed.isEmpty ? "" : ", and those of " + allowed.joined(separator: ", ")
        return
            "The request comes from a web page of \(origin.prefix(100)), and a browser sends such a request for any page that its user "
            + "opens. Only pages of \(own)\(others) may change something here; clients other than browsers send no Origin."
            + (remedy.map { " " + $0 } ?? "")
    }
}
