"""Which language a text is in, from its script and its function words. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

READ = ("de", "fr", "es", "pt", "zh")
"""Languages other than English that statements are read in."""

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese", "zh": "Chinese",
    "it": "Italian", "nl": "Dutch", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "el": "Greek", "ar": "Arabic",
    "he": "Hebrew", "hi": "Hindi", "th": "Thai",
}  # fmt: skip

_SCRIPTS = {
    "ja": "\u3040-\u30ff", "zh": "\u3400-\u4dbf\u4e00-\u9fff", "ko": "\uac00-\ud7af", "ru": "\u0400-\u04ff",
    "el": "\u0370-\u03ff", "ar": "\u0600-\u06ff", "he": "\u0590-\u05ff", "hi": "\u0900-\u097f", "th": "\u0e00-\u0e7f",
}  # fmt: skip
"""Kana before Han: Japanese has both."""

# Clear words count twice: no other of these languages has them. The others are shared or short.
_CLEAR = {
    "en": """
        i i'm i've i'd i'll the my is are was were with and you your have has what this that they don't it it's she
        he his her we our from because but not will would which who how when where works lives likes love like live
        work called named there their been can could should just really always think know want need
    """,
    "de": """
        ich mein meine meinen meinem meiner bin habe wohne wohn arbeite heiße heisse nicht kein keine keinen mich
        mir und oder ist sind wir unser unsere seit bei nach auch jetzt mag esse spiele spreche liebe hasse meinte
        wohnt arbeitet heißt heisst lebt spielt fährt studiert isst trinkt spricht hatte hatten haben wird werde werden
        dort gestorben gekündigt verkauft gezogen umgezogen getrennt aufgehört gern gerne letzten nächsten nächste
        ihr ihre einen eine einem sind waren wohnen leben arbeiten wohnte lebte unser unseren immer noch
        früher mehr sondern weil wurde für über möchte hätte würde können meinten doch entschuldigung geburtstag
    """,
    "fr": """
        je j'ai j'habite j'aime j'adore j'étais j'étudie j'apprends j'utilise j'espère moi mon est c'est suis habite
        travaille n'aime n'ai n'est n'habite nous vous avec mais pas aux chez dans sœur être parle préféré préférée
        depuis désormais maintenant aussi voulais dire déteste j'en m'appelle s'appelle d'un d'une qui elle ils
        elles ça été joue cette ces habitent vivent vivait habitait habitais vivais travaillais travaillait étais
        avais avait sont ont mort morte vendu vendue quitté arrêté déménagé frère mère père fille fils mari femme
        enfants ans mois année s'est m'a notre nos leur préférons séparés
    """,
    "es": """
        yo soy vivo estoy tengo gusta gustan encanta encantan llamo llama mudé mudamos trabajo juego hablo mi mis
        pero ahora también ya años hace bebo dejado dejé fumar viví nunca nació desde hasta nosotros mío hermana
        hermano prefiero odio quiero hola nací quise decir perdón adoro detesto amo cumpleaños favorito favorita
        correo vivía hijo hija estudio conduzco aquí muy nuestra nuestro vivimos vive viven trabajamos somos estamos
        tenemos tiene tienen cumplí cumple cumplo compré comprado vendí vendido cambié cambiado empecé empezado dejamos
        rompí casé casamos divorcié jubilé aprendiendo estudiando trabajando viviendo llevo suelo voy vamos mudo 
        está están hemos hecho hice murió pareja novio novia marido mujer padres padre madre mamá papá perro perra gato
        gata coche carro encantan fui seré tenía estaba renuncié
        despidieron trabajaba trabaja tomo llaman crecí curro alérgico alérgica bebo mido cancelé nunca vegana vegano
        vegetariana vegetariano soltera soltero casada casado
    """,
    "pt": """
        eu meu minha meus minhas sou moro gosto não nao tenho chamo chamo-me trabalho jogo falo agora também em na
        uma mudei mudou mudamos-nos anos há prefiro odeio irmã irmão você nós são desculpa quis dizer adoro detesto
        amo vivo sinto fui nasci aniversário preferida preferido morava comprei filho filha estudo faço muito já com
        nosso nossa gente bebo parei fumar nasceu até estou estamos estão está moramos mora moram trabalha trabalhamos
        vivemos virei vendi vendeu troquei terminei pedi demissão demiti demitida demitido despedi casei divorciei
        deixei comecei fiz temos pais pai mãe cão cachorro cachorra gato gata carro namorado namorada marido
        esposa falo aprendendo estudando trabalhando morando vivendo costumo vou vamos mudo nossos meus
        numa pelo pela serei tinha estava saí larguei morreu trabalhava uns umas 
        alérgico alérgica cresci chama chamam fazer também comprámos comecei troquei escrevi enganei cancelei
        vegana vegano vegetariana vegetariano solteira solteiro casada casado ando alemão inglês francês espanhol
    """,
    "it": """
        io sono mio mia abito vivo lavoro mi chiamo piace non che è una gli della nella ho anche ora più sorella
        fratello perché questo preferisco
    """,
    "nl": """
        ik mijn ben heb woon werk niet geen een het zijn maar ook nu sinds naar zus broer hou vind hij jij
    """,
}
_WEAK = {
    "en": """
        a an in on at of to for by as if so no yes me us be do does did had hi hello hey ok please thanks then than
        go am all any some more most very also now about over come up out our
    """,
    "de": """
        der die das den dem des ein eine einen einem einer im in am an auf zu zum zur mit von vom für es sie er was
        wie so war hat aber als noch schon sehr nur hallo ja nein man dass gern gerne
    """,
    "fr": """
        le la les un une des du de et ou en à au on a ai ne plus ma mes sa ses son est-ce il y que bonjour oui non
        me se pour par sur très était vis vit
    """,
    "es": """
        y el los las la un una de del en es no me se que con para por su sus al a lo como sino más quien era le nos
        vive adoro detesto
    """,
    "pt": """
        e do da o a os as um de no ao aos à que para por se me é mas mais como sem seu sua ela ele vivo vive adoro
        detesto amo mora dos das nos
    """,
    "it": """
        il la le un di da in per con si lo a e è al
    """,
    "nl": """
        de in van op te aan is en dat die voor met je
    """,
}
_ELIDED = {"j": 2, "c": 2, "qu": 2, "n": 2, "l": 1, "d": 1, "m": 1, "s": 1}
"""What stands before the apostrophe in French: "j'habite", "qu'il"."""
_SHORTENED = frozenset(("re", "m", "ve", "ll", "t"))
"""What stands after the apostrophe in English: "we're", "don't"."""
_WORD = re.compile(r"(?<![\d_])[^\W\d_]+(?:['’-][^\W\d_]+)*(?![\d_])")
_ENDS = ("", ".", "!", "?", ":", "\n", "-", ",", "…")
_MOST_READ = 2_000
_UNSCORED = dict.fromkeys(("en", *_CLEAR), 0)
_LEAST = 2
"""A clear word, or two others."""


@lru_cache(maxsize=1)
def weights() -> dict[str, tuple[tuple[str, int], ...]]:
    """For each function word, the languages that it speaks for."""
    found: dict[str, dict[str, int]] = {}
    for points, lists in ((1, _WEAK), (2, _CLEAR)):
        for language, words in lists.items():
            for word in words.split():
                found.setdefault(word, {})[language] = points
    return {word: tuple(languages.items()) for word, languages in found.items()}


def language_of(text: str) -> str | None:
    """The code of the language that a text is in ("en", "de", "zh"); None when nothing tells."""
    scores = ranked(text)
    return scores[0] or None if scores else None


def ranked(text: str) -> list[str]:
    """The languages that a text can be in, the likeliest first; English goes before an equal. An empty one comes first
    where the words are too few to tell: what follows is worth a try."""
    return list(_ranked(text[:_MOST_READ]))


@lru_cache(maxsize=64)
def _ranked(text: str) -> list[str]:
    # Asked once to read a message, and once to say that it was not read.
    if not text.isascii() and (script := by_script(text)):
        return [script]
    scores = dict(_UNSCORED)
    table = weights()
    for word in common_words(text):
        for language, points in table.get(word, ()):
            scores[language] += points
        if "'" in word and word not in table:
            scores["fr"] += _ELIDED.get(word.partition("'")[0], 0)
            scores["en"] += 2 * (word.partition("'")[2] in _SHORTENED)
    scores["es"] += 2 * ("¿" in text or "¡" in text)
    best = max(scores.values())
    if best < _LEAST:
        unclear = not scores["en"] and (best or not text.isascii())
        return ["", *(one for one in scores if one in READ and scores[one] == best)] if unclear else []
    if scores["en"] == best:
        return ["en"]
    order = sorted(scores, key=lambda language: -scores[language])
    likely = [one for one in order if scores[one] > max(best - 2, scores["en"])]
    return [*likely, "en"] if scores["en"] >= _LEAST else likely


def common_words(text: str) -> list[str]:
    """The words in lower case, without names: what is capitalised inside a sentence tells no language."""
    text = text.replace("’", "'")
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        if not word[0].isupper() or word[:2] in ("I", "I'") or begins_sentence(text, match.start()):
            found.append(word.lower())
    return found


def begins_sentence(text: str, place: int) -> bool:
    """Whether a capital is due at this place."""
    return text[max(0, place - 4) : place].rstrip(" ¿¡\"'(")[-1:] in _ENDS


def by_script(text: str) -> str | None:
    """The language whose script most of the letters are in, when it is not the Latin one."""
    letters = sum(map(str.isalpha, text))
    for language, script in _SCRIPTS.items():
        count = len(re.findall(f"[{script}]", text))
        # A letter of these stands for more than a Latin one, and Japanese is told by its kana alone.
        if count and count * (10 if language == "ja" else 4) >= letters:
            return language
    return None
