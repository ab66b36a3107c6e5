"""Simulates the user's browser: visit.py BASE USER URL signs in, visits, and prints the query of the redirect."""
import http.cookiejar, sys, urllib.error, urllib.parse, urllib.request


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


base, user, url = sys.argv[1:4]
browser = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), Stay)
if user != "-":
    browser.open(base + "/signin", urllib.parse.urlencode({"username": user}).encode()).read()
try:
    browser.open(url)
except urllib.error.HTTPError as answer:
    print(answer.headers["Location"].split("?", 1)[1])
