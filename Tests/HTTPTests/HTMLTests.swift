import Testing

import HTTP

@Suite struct HTMLTests {
    @Test func `what is interpolated is text, never markup`() {
        let hostile = "<script>alert('x')</script>&\"\0"
        let html: HTML = "<p title=\"\(hostile)\">\(hostile)</p>"
        let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\u{FFFD}"
        #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func `markup in markup stays as it is`() {
        let inner: HTML = "<b>\("&")</b>"
        let html: HTML = "<p>\(inner) \(7)</p>\([inner, inner])"
        #expect(html.text == "<p><b>&amp;</b> 7</p><b>&amp;</b>\n<b>&amp;</b>")
    }

    @Test func `a template is filled once, so that no value can bring a place of its own`() {
        let html = HTML(
            template: "{{a}}-{{b}}-{{c}}-{{ {{b}} }}", ["a": "\("{{b}}")", "b": "\("<{{a}}>")"])
        #expect(html.text == "{{b}}-&lt;{{a}}&gt;-{{c}}-{{ &lt;{{a}}&gt; }}")
    }
}
