// Renders the templates of a chart with the functions of Helm that our chart uses. Helm itself is not in the registries of CI.
// Standard input is {"Values": …, "Chart": …, "Release": …}; the argument is the folder of the templates; the output is YAML.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func isEmpty(value interface{}) bool {
	return value == nil || value == "" || value == false || value == float64(0)
}

func main() {
	var data map[string]interface{}
	check(json.NewDecoder(os.Stdin).Decode(&data))
	set := template.New("chart").Option("missingkey=error")
	set.Funcs(template.FuncMap{
		"include": func(name string, with interface{}) (string, error) {
			var out strings.Builder
			err := set.ExecuteTemplate(&out, name, with)
			return out.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if isEmpty(value) {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"default": func(other, value interface{}) interface{} {
			if isEmpty(value) {
				return other
			}
			return value
		},
		"has": func(wanted interface{}, list []interface{}) bool {
			for _, each := range list {
				if each == wanted {
					return true
				}
			}
			return false
		},
		"join": func(between string, list []interface{}) string {
			words := []string{}
			for _, each := range list {
				words = append(words, fmt.Sprint(each))
			}
			return strings.Join(words, between)
		},
		"quote":   func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"nindent": func(by int, text string) string { return "\n" + indent(by, text) },
		"toJson": func(value interface{}) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"trunc": func(most int, text string) string {
			if len(text) > most {
				return text[:most]
			}
			return text
		},
		"trimSuffix": func(end, text string) string { return strings.TrimSuffix(text, end) },
	})
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*"))
	check(err)
	_, err = set.ParseFiles(files...)
	check(err)
	for _, file := range files {
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println("---")
			check(set.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}

func indent(by int, text string) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
