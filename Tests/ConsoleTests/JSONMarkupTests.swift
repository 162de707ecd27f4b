import HTTP
import Testing

@testable import Console

@Suite struct JSONMarkupTests {
    @Test func `members keep their order, and numbers and texts their form`() throws {
        let html = try #require(JSONMarkup(#" {"b": 1.50, "a": ["x\"y", null], "e": {}} "#)).html.text
        #expect(
            html.split(separator: "\n").map(String.init) == [
                #"<div class="json" tabindex="0"><details open><summary>{</summary>"#,
                #"<div class="inside">"#,
                #"<div><span class="name">&quot;b&quot;</span>: <span class="plain">1.50</span>,</div>"#,
                #"<details open><summary><span class="name">&quot;a&quot;</span>: [</summary>"#,
                #"<div class="inside">"#,
                #"<div><span class="string">&quot;x\&quot;y&quot;</span>,</div>"#,
                #"<div><span class="plain">null</span></div>"#, "</div>", "],</details>",
                #"<div><span class="name">&quot;e&quot;</span>: {}</div>"#, "</div>", "}</details></div>",
            ])
    }

    @Test(arguments: ["", "{", "a=b", "{\"a\": 1} x", "<b>"])
    func `what is no JSON is left to others`(_ text: String) { #expect(JSONMarkup(text) == nil) }

    @Test func `a text can become no element`() throws {
        let html = try #require(JSONMarkup(#"{"<img src=x onerror=a()>": "</div><script>"}"#)).html.text
        #expect(!html.contains("<img") && !html.contains("<script"))
    }
}
